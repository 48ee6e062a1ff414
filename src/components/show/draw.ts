/*
 * An explained tree, as a picture for the terminal, and for pages that draw Mermaid.
 */
import type { Explanation } from './explain.js';
import { lengthOf } from './words.js';

/** The tree as indented text with aligned columns: name, kind, phase, and what it is doing. */
export function drawTree(explanation: Explanation, now: number): string {
  const rows = rowsOf(explanation, now, '', '');
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => [...row[column]!].length)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function rowsOf(explanation: Explanation, now: number, first: string, others: string): readonly (readonly string[])[] {
  const { name, kind, children } = explanation;
  const row = [`${first}${name}`, kind, phaseOf(explanation, now), explanation.doing.join('; ')];
  const below = children.flatMap((child, index) => {
    const isLast = index === children.length - 1;
    return rowsOf(child, now, `${others}${isLast ? '└─ ' : '├─ '}`, `${others}${isLast ? '   ' : '│  '}`);
  });
  return [row, ...below];
}

function phaseOf({ phase, since, end }: Explanation, now: number): string {
  if (since === undefined) return phase;
  if (phase === 'ended') return `ended ${end!.type} ${lengthOf(now - since)} ago`;
  const what = phase === 'ending' ? `ending ${end!.type}` : phase;
  return `${what} for ${lengthOf(now - since)}`;
}

const STYLES = [
  'classDef up fill: #e3f3e6, stroke: #2b7a3d',
  'classDef busy fill: #fff4d6, stroke: #a66b00',
  'classDef waiting stroke-dasharray: 5 4',
  'classDef well fill: #eeeeee, stroke: #8a8a8a, color: #5c5c5c',
  'classDef ill fill: #fde2e1, stroke: #b42318, color: #7a1a12',
];

/** The tree as a Mermaid flowchart: what is up green, what starts or ends yellow, what is over grey or, where it failed, red. */
export function mermaidTree(explanation: Explanation, now: number): string {
  const lines: string[] = [];
  let next = 0;
  const draw = (each: Explanation): string => {
    const id = `n${next++}`;
    const words = [`<b>${text(each.name)}</b> ${text(each.kind)}`, text(phaseOf(each, now)), ...each.doing.map(text)];
    lines.push(`${id}["${words.join('<br/>')}"]:::${styleOf(each)}`);
    for (const child of each.children) {
      const below = draw(child);
      lines.push(`${id} ${child.phase === 'to come' ? '-.->' : '-->'} ${below}`);
    }
    return id;
  };
  draw(explanation);
  return ['flowchart TD', ...[...STYLES, ...lines].map((line) => `  ${line}`)].join('\n');
}

function styleOf({ phase, end }: Explanation): string {
  if (phase === 'up') return 'up';
  if (phase === 'starting' || phase === 'ending') return 'busy';
  if (phase === 'ended') return end!.type === 'normal' ? 'well' : 'ill';
  return 'waiting';
}

/** Mermaid takes some characters for its own. */
function text(given: string): string {
  return given.replace(/[#"<>`]/g, (character) => `#${character.codePointAt(0)};`);
}
