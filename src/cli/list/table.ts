import { stripVTControlCharacters } from 'node:util';
import { SHORT_ID, tellingPart } from '../explanation/short-id.js';
import { colours } from '../colours.js';
import { fold } from '../fold.js';

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
  /** Tells whether its texts get lines of their own below their rows, where too little of them would be left in the table. */
  readonly below?: true;
}

/** A way to cut a text that is too wide. */
export interface Cut {
  /** The fewest characters that it leaves. */
  least(text: string): number;
  shorten(text: string, width: number): string;
  /** Tells whether what it leaves of a long text gets a line of its own where it would take the room of the other columns. */
  readonly ownLine?: true;
}

/** A column with its texts: the title, then one for each row. */
interface Filled<Row> {
  readonly column: TableColumn<Row>;
  readonly texts: readonly string[];
  readonly width: number;
  /** Tells whether all of its texts have lines of their own. */
  readonly isBelow?: true;
}

const [GAP, INDENT] = ['  ', '    '];
const NARROWEST = 8;
/** So much of a long text says what it is about, and so much is worth more than an expendable column. */
const [READABLE, WORTH] = [24, 40];

/**
 * A table in which each row takes one line of the given width. First, expendable columns are left out, unless it is enough to cut long
 * texts. Then texts are cut off: what tells rows apart is cut last, and never the key of an entity. A long key that would take the room of
 * the other columns gets a line of its own: above its row from the first column, below it from another one, or behind what stands above.
 * Texts of columns that are `below` get lines of their own as well, and are wrapped. Without a width, as without a terminal, nothing is left out.
 */
export function formatTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], width = Infinity): string {
  const shown = widened(lower(spare(fill(columns, rows), width), width), width);
  const line = (at: number, paint: (text: string, column: TableColumn<Row>) => string) =>
    shown
      .filter(({ width: room }) => room > 0)
      .map((filled) => {
        const { column, texts, width: room } = filled;
        const text = isApart(filled, at) ? '' : (column.cut?.shorten ?? shorten)(texts[at] ?? '', room);
        const space = ' '.repeat(Math.max(0, room - lengthOf(text)));
        return column.align === 'right' ? space + paint(text, column) : paint(text, column) + space;
      })
      .join(GAP)
      .trimEnd();
  const apart = (at: number, row: Row) => {
    const above: string[] = [];
    const below: string[] = [];
    for (const [index, filled] of shown.entries()) {
      if (!isApart(filled, at)) continue;
      const { column, texts } = filled;
      const title = index === 0 || column.title === '' ? '' : `${colours.dim(column.title)}${GAP}`;
      const left = width - (index === 0 ? 0 : INDENT.length) - (title === '' ? 0 : lengthOf(column.title) + GAP.length);
      const cut = column.cut?.shorten ?? shorten;
      const text = filled.isBelow ? texts[at]! : cut(texts[at]!, Math.max(left, column.cut?.least(texts[at]!) ?? 0));
      const told = title + (column.paint?.(text, row) ?? text);
      if (index === 0) above.push(told);
      else if (above.length > 0 && !filled.isBelow && visible([...above, told].join(GAP)) <= width) above.push(told);
      else below.push(fold(INDENT + told, width));
    }
    return [above.length === 0 ? [] : [above.join(GAP)], below] as const;
  };
  return [
    line(0, (text) => colours.dim(text)),
    ...rows.flatMap((row, index) => {
      const [above, below] = apart(index + 1, row);
      return [...above, line(index + 1, (text, { paint }) => paint?.(text, row) ?? text), ...below];
    }),
  ].join('\n');
}

/** Tells whether a text of a column gets a line of its own; a title is left out then. */
function isApart<Row>({ column, texts, width, isBelow }: Filled<Row>, at: number): boolean {
  const text = texts[at] ?? '';
  if (isBelow) return at > 0 && text !== '';
  if (!column.cut?.ownLine) return false;
  return at === 0 ? lengthOf(text) > width : column.cut.least(text) > width;
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
  const cutShort = columns.map((each) => ({ width: each.column.cut ? each.width : Math.min(each.width, WORTH) }));
  if (excess(cutShort, width) <= 0 || last < 0) return columns;
  return spare(
    columns.filter((_, at) => at !== last),
    width,
  );
}

/** Cuts the columns. Those that are `below` and would lose most of their texts leave the table to the others. */
function lower<Row>(columns: readonly Filled<Row>[], width: number): readonly Filled<Row>[] {
  const shown = cut(columns, width);
  const lost = shown.findLastIndex(
    ({ column, width: left, isBelow }, at) => column.below && !isBelow && left < Math.min(columns[at]!.width, WORTH),
  );
  if (lost < 0) return shown;
  return lower(
    columns.map((each, at) => (at === lost ? { ...each, width: 0, isBelow: true } : each)),
    width,
  );
}

/** Cuts as `cutBeside` does. Where that is not enough, all keys get lines of their own, those of the last column first. */
function cut<Row>(columns: readonly Filled<Row>[], width: number): readonly Filled<Row>[] {
  for (let last = columns.length; ; last--) {
    const shown = cutBeside(columns, width, last);
    if (last === 0 || excess(shown, width) <= 0) return shown.map(trimmed);
  }
}

/**
 * First, long texts are cut as long as they stay readable, then what names the rows as far as it does so. Then long keys get lines of their own,
 * and so do all keys from the column at `last` on. All others are cut at last.
 */
function cutBeside<Row>(columns: readonly Filled<Row>[], width: number, last: number): readonly Filled<Row>[] {
  const leastOf = ({ column, texts }: Filled<Row>) => texts.slice(1).map((text) => column.cut?.least(text) ?? 0);
  const least = columns.map((column) => Math.max(NARROWEST, ...leastOf(column)));
  const readable = columns.map(({ column, width: whole }) => (column.cut ? whole : READABLE));
  const named = columns.map(({ column }, at) => (column.cut ? least[at]! : READABLE));
  const beside = columns.map((each, at) => {
    const longest = at < last ? READABLE : 0;
    if (!each.column.cut?.ownLine || least[at]! <= longest) return named[at]!;
    return Math.max(at === 0 ? INDENT.length : 0, ...leastOf(each).filter((one) => one <= longest));
  });
  const floors = [readable, named, beside, least.map((floor, at) => Math.min(floor, beside[at]!))];
  let widths: readonly number[] = columns.map((column) => column.width);
  for (const each of floors) widths = narrowed(widths, each, width);
  return columns.map((column, at) => ({ ...column, width: widths[at] ?? column.width }));
}

/** The column as wide as the texts that are in it. Without one, it has no title either. */
function trimmed<Row>(filled: Filled<Row>, place: number): Filled<Row> {
  const texts = filled.texts.filter((_, at) => !isApart(filled, at));
  const isLeft = texts.length < filled.texts.length && texts.every((text) => ['', filled.column.title].includes(text));
  if (isLeft && place > 0) return { ...filled, width: 0 };
  const widest = Math.max(place === 0 ? INDENT.length : 0, ...texts.map(lengthOf));
  return { ...filled, width: Math.min(filled.width, widest) };
}

/** Gives back what is left of the room, to the column that has lost most, one after the other. Texts with lines of their own need none. */
function widened<Row>(columns: readonly Filled<Row>[], room: number): readonly Filled<Row>[] {
  const whole = columns.map((each) =>
    each.width === 0 ? 0 : Math.max(...each.texts.map((text, at) => (isApart(each, at) ? 0 : lengthOf(text)))),
  );
  const widths = columns.map(({ width }) => width);
  for (let left = -excess(columns, room); left > 0; left--) {
    const lost = widths.map((width, at) => whole[at]! - width);
    const most = Math.max(...lost);
    if (most <= 0) break;
    widths[lost.indexOf(most)]!++;
  }
  return columns.map((each, at) => ({ ...each, width: widths[at]! }));
}

/** Takes from the widest column that is wider than its floor, one after the other, until all fit. */
function narrowed(given: readonly number[], floors: readonly number[], width: number): readonly number[] {
  const widths = [...given];
  for (
    let left = excess(
      widths.map((each) => ({ width: each })),
      width,
    );
    left > 0;
    left--
  ) {
    const widest = Math.max(...widths.filter((each, at) => each > floors[at]!));
    const at = widths.findIndex((each, place) => each === widest && each > floors[place]!);
    if (at < 0) break;
    widths[at] = widest - 1;
  }
  return widths;
}

/** How much wider the columns are than the room. */
function excess(columns: readonly { readonly width: number }[], room: number): number {
  const inTable = columns.filter(({ width }) => width > 0);
  return inTable.reduce((sum, { width }) => sum + width, GAP.length * (inTable.length - 1)) - room;
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

/** The length of a text on the terminal, without its colors. */
function visible(text: string): number {
  return lengthOf(stripVTControlCharacters(text));
}

function lengthOf(text: string): number {
  return [...text].length;
}

/** Cuts what a pattern finds in its second group, and keeps what stands before and behind it. Other names with a path are whole. */
function cutOf(pattern: RegExp): Cut {
  const partsOf = (text: string) => {
    const [, before = '', type, rest] = pattern.exec(text) ?? [];
    return type === undefined || rest === undefined ? undefined : { before, type, rest };
  };
  return {
    least(text) {
      const parts = partsOf(text);
      return parts
        ? lengthOf(parts.before) + ELLIPSIS.length + lengthOf(parts.rest)
        : text.includes('/')
          ? lengthOf(text)
          : 0;
    },
    shorten(text, width) {
      const parts = partsOf(text);
      if (lengthOf(text) <= width || !parts) return shorten(text, width);
      const { before, type, rest } = parts;
      const left = width - lengthOf(before) - ELLIPSIS.length - lengthOf(rest);
      return `${before}${type.slice(0, Math.max(0, left))}${ELLIPSIS}${rest}`;
    },
  };
}

const ELLIPSIS = '…';

/** Cuts the type in the name of an entity, `Logical…/orders.sales`, and never its key: without that, nobody can name it. */
export const keepKey: Cut = { ...cutOf(/^([^/]* )?([A-Z]\w*|distributed)(\/.*)$/), ownLine: true };

/** The same where all that is listed begins with a type, which may be that of an operation over partitions. */
export const keepKeyOfAny: Cut = { ...cutOf(/^()(\w+)(\/.*)$/), ownLine: true };

/** The same for callers, who may be entities. The name of a person is whole. */
export const keepCaller: Cut = {
  ...keepKeyOfAny,
  least: (text) => keepKeyOfAny.least(text) || Math.min(lengthOf(text), READABLE),
};

/** Cuts the type of an action or event, `Logical….applicationReady`, and never its name. */
export const keepMember = cutOf(/^()(\w+)(\..*)$/);

/** Cuts the end of a text, and nothing of one that is short: it tells what a row is about. */
export const keepWhole: Cut = { least: (text) => Math.min(lengthOf(text), READABLE), shorten };

/** Cuts an id to its end, or to the end of what tells it from others. */
export const keepEnd: Cut = {
  least: (text) => Math.min(lengthOf(text), SHORT_ID + 1),
  shorten(text, width) {
    if (lengthOf(text) <= width) return text;
    const characters = [...tellingPart(text)];
    return `…${characters.slice(Math.max(0, characters.length - width + 1)).join('')}`;
  },
};
