import { colours } from '../colours.js';

/** A column of a table for people. */
export interface TableColumn<Row> {
  readonly title: string;
  readonly text: (row: Row) => string;
  readonly paint?: (text: string, row: Row) => string;
  readonly align?: 'left' | 'right';
  /** Left out when no row has a text for it. */
  readonly optional?: boolean;
  /** Cut off before the others. */
  readonly expendable?: boolean;
}

const GAP = '  ';
const NARROWEST = 8;

/**
 * A table of which each row takes one line of the given width: what is too long is cut off, what can be
 * spared first, then the widest columns.
 * Without a width, as where no terminal shows it, nothing is.
 */
export function formatTable<Row>(columns: readonly TableColumn<Row>[], rows: readonly Row[], width = Infinity): string {
  const shown = columns.filter(({ optional, text }) => !optional || rows.some((row) => text(row) !== ''));
  const cells = rows.map((row) => shown.map(({ text }) => oneLine(text(row))));
  const natural = shown.map(({ title }, at) => Math.max(title.length, ...cells.map((row) => lengthOf(row[at] ?? ''))));
  const widths = fit(shown, natural, width - GAP.length * (shown.length - 1));
  const line = (texts: readonly string[], paint: (text: string, at: number) => string) =>
    texts
      .map((text, at) => {
        const room = widths[at] ?? 0;
        const cut = shorten(text, room);
        const space = ' '.repeat(Math.max(0, room - lengthOf(cut)));
        if (shown[at]?.align === 'right') return space + paint(cut, at);
        return at === texts.length - 1 ? paint(cut, at) : paint(cut, at) + space;
      })
      .join(GAP)
      .trimEnd();
  const titles = shown.map(({ title }) => title);
  return [
    line(titles, (text) => colours.dim(text)),
    ...rows.map((row, index) => line(cells[index] ?? [], (text, at) => shown[at]?.paint?.(text, row) ?? text)),
  ].join('\n');
}

/** A text that a terminal shows on one line and that cannot give it orders. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s*[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+\s*/gu, ' ').trim();
}

/** Not longer than that: the end is left out. */
export function shorten(text: string, width: number): string {
  const characters = [...text];
  return characters.length <= width ? text : `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

/** Widths that together fit into the room, as far as that can be. */
function fit(
  columns: readonly { readonly expendable?: boolean }[],
  natural: readonly number[],
  room: number,
): readonly number[] {
  const widths = [...natural];
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  const shrink = (candidates: readonly number[]) => {
    for (; excess > 0; excess--) {
      const widest = candidates.reduce((best, at) => ((widths[at] ?? 0) > (widths[best] ?? 0) ? at : best));
      const before = widths[widest] ?? 0;
      if (before <= NARROWEST) return;
      widths[widest] = before - 1;
    }
  };
  const all = [...columns.keys()];
  const expendable = all.filter((at) => columns[at]?.expendable);
  if (expendable.length > 0) shrink(expendable);
  shrink(all);
  return widths;
}

function lengthOf(text: string): number {
  return [...text].length;
}
