/** Places in code of others, and in none. */
const FOREIGN = /node_modules|node:|<anonymous>/;

/** The places of a stack that are in the code of the author: where it was thrown, and from where that was called. */
export function placesIn(stack: string): readonly string[] {
  const lines = stack.split('\n').map((line) => line.trim());
  return lines.filter((line) => line.startsWith('at ') && !FOREIGN.test(line));
}
