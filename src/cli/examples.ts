import { foldParagraph } from './fold.js';
import { helpWidth } from './help-width.js';

/** The examples after the help of a command: each call with what it does, beside it or below it. */
export function examples(...shown: readonly (readonly [command: string, does: string])[]): () => string {
  return () => ['', 'Examples:', ...exampleLines(shown, helpWidth())].join('\n');
}

/** The lines of examples, for a terminal of this width. */
export function exampleLines(
  shown: readonly (readonly [command: string, does: string])[],
  width: number,
): readonly string[] {
  const longest = Math.max(...shown.map(([command]) => command.length));
  const beside = shown.map(([command, does]) => `  ${command.padEnd(longest)}  ${does}`);
  if (beside.every((line) => line.length <= width)) return beside;
  // A command is never wrapped, so that it can be copied.
  return shown.flatMap(([command, does]) => [
    `  ${command}`,
    ...foldParagraph(does, width - 6).map((line) => `      ${line}`),
  ]);
}
