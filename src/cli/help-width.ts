/** How wide help is where there is no terminal. */
const NO_TERMINAL = 120;

/** The width of help, in characters. */
export function helpWidth(): number {
  return process.stdout.columns ?? NO_TERMINAL;
}

/** The lines of a paragraph, each no longer than the width, unless a word is. */
export function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
