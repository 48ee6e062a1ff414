/** Quotes a word of a command for a shell, where it has to be. */
export function shellWord(word: string): string {
  return /^[\w./~:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
