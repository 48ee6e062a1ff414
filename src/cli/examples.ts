/** The examples after the help of a command: each call with what it does. */
export function examples(...shown: readonly (readonly [command: string, does: string])[]): string {
  const width = Math.max(...shown.map(([command]) => command.length));
  return ['', 'Examples:', ...shown.map(([command, does]) => `  ${command.padEnd(width)}  ${does}`)].join('\n');
}
