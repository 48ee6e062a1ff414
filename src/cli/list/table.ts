import { colours } from '../colours.js';

/** A column of a table for people. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly paint?: (text: string, row: Row) => string;
  readonly align?: 'left' | 'right';
  /** Tells whether it is left out when no row has a text for it. */
  readonly optional?: boolean;
  /** Tells whether it is left out when the table is too wide. The last such column goes first. */
  readonly expendable?: boolean;
  /** How a text is cut that is too wide; at the end by default. */
  readonly cut?: Cut;
}

/** A way to cut a text that is too wide. */
export interface Cut {
  /** The fewest characters that it leaves. */
  least(text: string): number;
  shorten(text: string, width: number): string;
}

/** A column with its texts: the title, then one for each row. */
interface Filled<Row> {
  readonly column: TableColumn<Row>;
  readonly texts: readonly string[];
  readonly width: number;
}

const GAP = '  ';
const NARROWEST = 8;

/**
 * A table in which each row takes one line of the given width. First, expendable columns are left out. Then texts are cut off,
 * beginning with the widest column. Without a width, as without a terminal, nothing is left out.
 */
export function formatTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], width = Infinity): string {
  const shown = cut(spare(fill(columns, rows), width), width);
  const line = (at: number, paint: (text: string, column: TableColumn<Row>) => string) =>
    shown
      .map(({ column, texts, width: room }) => {
        const text = (column.cut?.shorten ?? shorten)(texts[at] ?? '', room);
        const space = ' '.repeat(Math.max(0, room - lengthOf(text)));
        return column.align === 'right' ? space + paint(text, column) : paint(text, column) + space;
      })
      .join(GAP)
      .trimEnd();
  return [
    line(0, (text) => colours.dim(text)),
    ...rows.map((row, index) => line(index + 1, (text, { paint }) => paint?.(text, row) ?? text)),
  ].join('\n');
}

function fill<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[]): readonly Filled<Row>[] {
  return columns
    .map((column) => {
      const texts = [column.title, ...rows.map((row) => oneLine(column.text(row)))];
      return { column, texts, width: Math.max(...texts.map(lengthOf)) };
    })
    .filter(({ column, texts }) => !column.optional || texts.slice(1).some((text) => text !== ''));
}

function spare<Row>(columns: readonly Filled<Row>[], width: number): readonly Filled<Row>[] {
  const last = columns.findLastIndex(({ column }) => column.expendable);
  if (excess(columns, width) <= 0 || last < 0) return columns;
  return spare(
    columns.filter((_, at) => at !== last),
    width,
  );
}

function cut<Row>(columns: readonly Filled<Row>[], width: number): readonly Filled<Row>[] {
  const widths = columns.map((column) => column.width);
  const least = columns.map(({ column, texts }) =>
    Math.max(NARROWEST, ...texts.map((text) => column.cut?.least(text) ?? 0)),
  );
  for (let left = excess(columns, width); left > 0; left--) {
    const widest = Math.max(...widths.filter((each, at) => each > least[at]!));
    const at = widths.findIndex((each, place) => each === widest && each > least[place]!);
    if (at < 0) break;
    widths[at] = widest - 1;
  }
  return columns.map((column, at) => ({ ...column, width: widths[at] ?? column.width }));
}

/** How much wider the columns are than the room. */
function excess(columns: readonly { readonly width: number }[], room: number): number {
  return columns.reduce((sum, { width }) => sum + width, GAP.length * (columns.length - 1)) - room;
}

/** A text made safe for a terminal: it is on one line and has no control characters. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\s*/gu, ' ').trim();
}

/** The text, cut off at the end where it is longer than the width. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** Cuts the type in the name of an entity, `Logical…/orders.sales`, and never its key: without that, nobody can name it. */
export const keepKey: Cut = {
  least(text) {
    const [before, , key] = partsOf(text);
    return key === undefined ? 0 : lengthOf(before) + ELLIPSIS.length + lengthOf(key);
  },
  shorten(text, width) {
    const [before, type, key] = partsOf(text);
    if (lengthOf(text) <= width || type === undefined || key === undefined) return shorten(text, width);
    const left = Math.max(0, width - lengthOf(before) - ELLIPSIS.length - lengthOf(key));
    return `${before}${type.slice(0, left)}${ELLIPSIS}${key}`;
  },
};

/** Cuts the beginning of an id. Ids that were made one after the other begin alike, and differ at the end. */
export const keepEnd: Cut = {
  least: (text) => Math.min(lengthOf(text), SHORT_ID + 1),
  shorten(text, width) {
    const characters = [...text];
    return characters.length <= width ? text : `…${characters.slice(characters.length - width + 1).join('')}`;
  },
};

/** As many characters of an id name it, in a list and for a command. */
export const SHORT_ID = 12;

const ELLIPSIS = '…/';

/** `create LogicalServer/orders`: what is before the type, the type, and the key. */
function partsOf(text: string): readonly [string, string?, string?] {
  const [, before = text, type, key] = /^([^/]* )?([A-Z]\w*)\/(.*)$/.exec(text) ?? [];
  return type === undefined ? [text] : [before === text ? '' : before, type, key];
}
