/** A page of the reference. */
export interface Page {
  /** Its path within docs/reference: `errors/gone.md`. */
  readonly path: string;
  /** Markdown, as yet unformatted. */
  readonly text: string;
}

/** A part of the reference, as its index lists it. */
export interface Section {
  readonly title: string;
  /** Says in one sentence which question it answers. */
  readonly about: string;
  /** Its first page, to which the index links. */
  readonly start: string;
  readonly pages: readonly Page[];
}

export const COMMAND = 'npm run docs:reference';
/** Each page that this command makes has these words in a comment. */
export const MADE_BY = `by \`${COMMAND}\`. Change that, and run it. -->`;

/** The comment of a page that tells what it is made from. */
export function made(from: string): string {
  return `<!-- Made from ${from} ${MADE_BY}`;
}

/** A table in markdown. A cell may have markdown; line breaks and bars in it are escaped. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function cell(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, ' ').replaceAll(/(?<!\\)\|/g, '\\|');
}

/** The anchor of a heading, as `infra/anchors.mjs` makes it. */
export function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
    .replaceAll(' ', '-');
}

/** A text as code on one line. */
export function code(text: string): string {
  const quotes = text.includes('`') ? '``' : '`';
  return `${quotes}${text.replaceAll(/\s*\n\s*/g, ' ')}${quotes}`;
}

/** A plain text in markdown: outside of code, `<` would begin HTML, and braces an expression of the site's. */
export function prose(text: string): string {
  return text
    .split(/(`[^`]*`)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '{ {')))
    .join('');
}
