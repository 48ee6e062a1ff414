/** What follows the help of a command: how it is called, each with what that does. */
export function examples(...shown: readonly (readonly [command: string, does: string])[]): string {
  const width = Math.max(...shown.map(([command]) => command.length));
  return ['', 'Examples:', ...shown.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`)].join('\n');
}
