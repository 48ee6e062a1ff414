import { stripVTControlCharacters } from 'node:util';
import { tableWidth } from './format.js';

/** Lines that are narrower than this are not worth reading. */
const NARROWEST = 24;

/** Prints a text for people. On a terminal, no line is cut within a word. */
export function printText(text: string): void {
  console.log(fold(text, tableWidth()));
}

/**
 * Wraps the lines that are longer than the width, at spaces. What follows stands below the second column of its line, or a little
 * further to the right than its beginning.
 */
export function fold(text: string, width = Infinity): string {
  return text
    .split('\n')
    .flatMap((line) => (lengthOf(line) <= width ? [line] : foldLine(line, width, indentOf(line, width))))
    .join('\n');
}

/** The lines of a paragraph, wherever its text has line breaks. */
export function foldParagraph(text: string, width: number): readonly string[] {
  return foldLine(text.trim().replaceAll(/\s+/g, ' '), width, '');
}

/** The space before what follows on the next lines. */
function indentOf(line: string, width: number): string {
  const plain = stripVTControlCharacters(line);
  const column = /^(?: {2,}|[✔✖?-] )\S.{0,24}? {2,}/.exec(plain)?.[0].length ?? /^\s*/.exec(plain)![0].length + 2;
  return ' '.repeat(Math.min(column, Math.max(0, width - NARROWEST)));
}

function foldLine(line: string, width: number, indent: string): readonly string[] {
  const lines: string[] = [];
  // The spaces before a word belong to it, so that columns stay where they are.
  for (const piece of line.match(/\s*\S+/g) ?? []) {
    const last = lines.at(-1);
    if (last === undefined) lines.push(piece);
    // An address is too long in any place.
    else if (lengthOf(last) + lengthOf(piece) <= width || lengthOf(piece.trimStart()) > width)
      lines[lines.length - 1] = last + piece;
    else lines.push(indent.slice(0, width - lengthOf(piece.trimStart())) + piece.trimStart());
  }
  return lines;
}

function lengthOf(text: string): number {
  return [...stripVTControlCharacters(text)].length;
}
