/*
 * The picture of a state diagram as plain elements, which become a file or a part of the page. Colours stand as presentation
 * attributes, so that the picture needs no style sheet; the page overrides them by the classes.
 */
import type { Diagram, DrawnArrow, DrawnState } from './diagram.js';

/** An element of SVG. */
export interface Shape {
  readonly tag: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly (Shape | string)[];
}

/** All that is known beyond the declaration: written into the picture. */
export interface Notes {
  /** The line beneath the name of a state, and further classes of its box. */
  readonly states?: Readonly<Record<string, { readonly text?: string; readonly classes?: string } | undefined>>;
  /** The line beneath the words of an arrow, by `from to`, and further classes. */
  readonly arrows?: Readonly<Record<string, { readonly text?: string; readonly classes?: string } | undefined>>;
}

const [INK, FAINT, LINE, PAPER] = ['#1c2733', '#5b6875', '#8794a1', '#ffffff'];
const [RED, RED_PAPER] = ['#b42318', '#fdeceb'];
const FONT = 'system-ui, sans-serif';
const CORNER = 7;
const LINE_HEIGHT = 14;

/** Draws a diagram. Each state and each arrow is a group that can be found by `data-state`, and by `data-from` and `data-to`. */
export function drawDiagram(diagram: Diagram, notes: Notes = {}): Shape {
  const [width, height] = diagram.size;
  return shape(
    'svg',
    {
      ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height, class: 'diagram' },
      ...{ role: 'img', 'aria-label': `State diagram of ${diagram.type}`, 'font-family': FONT },
    },
    [
      ...diagram.arrows.map((arrow) => drawArrow(arrow, notes.arrows?.[`${arrow.from} ${arrow.to}`])),
      ...diagram.states.map((state) => drawState(state, notes.states?.[state.name])),
    ],
  );
}

type Note = NonNullable<NonNullable<Notes['states']>[string]>;

function drawState(state: DrawnState, note: Note | undefined): Shape {
  const { name, label, stability, health, waiting, ending, initial, at, size } = state;
  const [x, y] = at;
  const [width, height] = size;
  const error = health === 'error';
  const classes = ['state', stability, ...(waiting ? ['waiting'] : []), ...(error ? ['error'] : [])];
  const dashes = stability === 'unstable' ? '5 4' : ending === undefined ? undefined : '1 3';
  const kind = note?.text ?? kindOf({ stability, waiting, ending, initial });
  return shape('g', { class: [...classes, note?.classes ?? ''].join(' ').trim(), 'data-state': name }, [
    shape('rect', {
      ...{ class: 'box', x, y, width, height, rx: initial || ending !== undefined ? height / 2 : CORNER },
      ...{ fill: error ? RED_PAPER : PAPER, stroke: error ? RED : INK, 'stroke-width': waiting ? 2.5 : 1.25 },
      ...(dashes !== undefined && { 'stroke-dasharray': dashes }),
    }),
    words('name', label, [x + width / 2, y + 20], { 'font-size': 13, 'font-weight': 600, fill: error ? RED : INK }),
    words('note', kind, [x + width / 2, y + 36], { 'font-size': 11, fill: FAINT }),
  ]);
}

function kindOf({
  stability,
  waiting,
  ending,
  initial,
}: Pick<DrawnState, 'stability' | 'waiting' | 'ending' | 'initial'>) {
  if (initial) return 'begins here';
  if (ending !== undefined) return 'ends here';
  if (waiting) return 'waits for others';
  return stability === 'unstable' ? 'acts by itself' : 'rests';
}

function drawArrow({ from, to, actions, lines, path, labelAt, labelSize }: DrawnArrow, note: Note | undefined): Shape {
  const [x, y] = [labelAt[0] + labelSize[0] / 2, labelAt[1]];
  // No action leads along it: the attempts of one are used up.
  const givenUp = actions.length === 0;
  const classes = ['arrow', givenUp ? 'given-up' : '', note?.classes ?? ''].filter(Boolean).join(' ');
  return shape('g', { class: classes, 'data-from': from, 'data-to': to }, [
    shape('path', {
      ...{ class: 'line', d: rounded(path), fill: 'none', stroke: LINE, 'stroke-width': 1.25 },
      ...(givenUp && { 'stroke-dasharray': '2 4' }),
    }),
    shape('path', { class: 'tip', d: tipOf(path), fill: LINE }),
    ...lines.map((line, index) =>
      words('event', line, [x, y + 11 + index * LINE_HEIGHT], {
        ...{ 'font-size': 11, fill: FAINT, stroke: PAPER, 'stroke-width': 3, 'paint-order': 'stroke' },
      }),
    ),
    words('note', note?.text ?? '', [x, y + 11 + lines.length * LINE_HEIGHT], {
      ...{ 'font-size': 11, fill: INK, stroke: PAPER, 'stroke-width': 3, 'paint-order': 'stroke' },
    }),
  ]);
}

type Point = readonly [number, number];

function words(name: string, text: string, [x, y]: Point, attributes: Shape['attributes']): Shape {
  return shape('text', { class: name, x, y, 'text-anchor': 'middle', ...attributes }, [text]);
}

/** The line through the points, with rounded corners. */
function rounded(path: readonly Point[]): string {
  return path
    .map(([x, y], index) => {
      if (index === 0) return `M${x} ${y}`;
      const next = path[index + 1];
      if (!next) return `L${x} ${y}`;
      const before = towards([x, y], path[index - 1]!, CORNER);
      const after = towards([x, y], next, CORNER);
      return `L${before.join(' ')}Q${x} ${y} ${after.join(' ')}`;
    })
    .join('');
}

/** The point on the way from one point to another, so far away from the first, and at most half of the way. */
function towards([x, y]: Point, [toX, toY]: Point, distance: number): Point {
  const length = Math.hypot(toX - x, toY - y) || 1;
  const share = Math.min(distance, length / 2) / length;
  return [tidy(x + (toX - x) * share), tidy(y + (toY - y) * share)];
}

/** The tip at the end of an arrow. */
function tipOf(path: readonly Point[]): string {
  const [x, y] = path.at(-1) ?? [0, 0];
  const [fromX, fromY] = path.at(-2) ?? [x, y - 1];
  const length = Math.hypot(x - fromX, y - fromY) || 1;
  const [along, across] = [(x - fromX) / length, (y - fromY) / length];
  const back: Point = [x - along * 8, y - across * 8];
  const side = (way: number) => `${tidy(back[0] - across * 4 * way)} ${tidy(back[1] + along * 4 * way)}`;
  return `M${x} ${y}L${side(1)}L${side(-1)}Z`;
}

function tidy(value: number): number {
  return Math.round(value * 10) / 10;
}

function shape(tag: string, attributes: Shape['attributes'], children: Shape['children'] = []): Shape {
  return { tag, attributes, children };
}
