/** Gives a command as you type it: `reeve` is run by npx, any other program by itself. */
export function inShell(command: string): string {
  return /^reeve\b/.test(command) ? `npx ${command}` : command;
}
