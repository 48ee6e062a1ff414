import type { Across, Chain, Link } from './wait-chain.js';

/* The places of a chain of waits: one beside the other where there is room, and below each other where there is none. */

export interface Box {
  readonly link: Link;
  /** Is true if its reason is written above it. A box with the reason of the one before it does not repeat it. */
  readonly captioned: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Line {
  readonly path: string;
  /** The tip of the arrow. */
  readonly tip: string;
  readonly circular: boolean;
  /** The wait for which it stands, where no box says it. */
  readonly across?: Across;
}

export interface Layout {
  readonly boxes: readonly Box[];
  readonly lines: readonly Line[];
  readonly width: number;
  readonly height: number;
}

const [BOX, CAPTION, BETWEEN, ASIDE, INDENT] = [34, 19, 10, 44, 20];
const [NARROWEST, WIDEST] = [230, 340];
/** The room for lines across, and how far each of them is from the one before. */
const [MARGIN, STEP] = [30, 10];

/** Lays out a chain for so much room across. */
export function layOut(chain: Chain, room: number): Layout {
  const levels = depthOf(chain.roots);
  const fits = Math.min(WIDEST, Math.floor((room - (levels - 1) * ASIDE) / levels));
  return fits >= NARROWEST ? beside(chain, fits) : below(chain, room);
}

function depthOf(links: readonly Link[]): number {
  return links.length === 0 ? 0 : 1 + Math.max(...links.map(({ next }) => depthOf(next)));
}

function captions(links: readonly Link[]): readonly boolean[] {
  return links.map(({ why }, index) => why !== '' && why !== links[index - 1]?.why);
}

function beside({ roots, across, circle }: Chain, width: number): Layout {
  const boxes = new Map<string, Box>();
  const lines: Line[] = [];
  let top = 0;
  const place = (links: readonly Link[], level: number): readonly Box[] => {
    const captioned = captions(links);
    return links.map((link, index) => {
      const caption = captioned[index] ? CAPTION : 0;
      const first = top;
      const next = place(link.next, level + 1);
      const [one, last] = [next[0], next.at(-1)];
      // A box stands in the middle of those for which it waits.
      const y = one && last ? Math.max(first, (middle(one) + middle(last) - BOX) / 2 - caption) : first;
      const box: Box = { link, captioned: caption > 0, x: level * (width + ASIDE), y, width, height: caption + BOX };
      top = Math.max(top, y + box.height + BETWEEN);
      boxes.set(link.id, box);
      for (const each of next) lines.push(lineBeside(box, each, circle));
      return box;
    });
  };
  place(roots, 0);
  for (const [index, each] of across.entries()) {
    const [from, to] = [boxes.get(each.from)!, boxes.get(each.to)!];
    const [x, toX] = [from.x + width / 2 + STEP, to.x + width / 2 - STEP];
    const [bottom, toBottom] = [from.y + from.height, to.y + to.height];
    const deepest = Math.max(bottom, toBottom) + MARGIN + index * STEP;
    top = Math.max(top, deepest);
    const path = `M${x} ${bottom}C${x} ${deepest} ${toX} ${deepest} ${toX} ${toBottom + 6}`;
    lines.push({ path, tip: up(toX, toBottom), circular: each.circular, across: each });
  }
  const levels = depthOf(roots);
  return { boxes: [...boxes.values()], lines, width: levels * (width + ASIDE) - ASIDE, height: top };
}

function lineBeside(from: Box, to: Box, circle: ReadonlySet<string>): Line {
  const { link } = to;
  const [x, toX] = [from.x + from.width, to.x];
  const [y, toY] = [middle(from), middle(to)];
  const half = (x + toX) / 2;
  const [begin, end] = link.backwards ? [x + 6, toX] : [x, toX - 6];
  return {
    path: `M${begin} ${y}C${half} ${y} ${half} ${toY} ${end} ${toY}`,
    tip: link.backwards ? left(x, y) : right(toX, toY),
    circular: circle.has(link.id),
  };
}

function below({ roots, across, circle }: Chain, room: number): Layout {
  const boxes = new Map<string, Box>();
  const lines: Line[] = [];
  const aside = across.length === 0 ? 0 : MARGIN + (across.length - 1) * STEP;
  let top = 0;
  const place = (links: readonly Link[], level: number, above?: Box): void => {
    const captioned = captions(links);
    for (const [index, link] of links.entries()) {
      const x = level * INDENT;
      const height = (captioned[index] ? CAPTION : 0) + BOX;
      const width = Math.max(NARROWEST / 2, Math.min(WIDEST * 1.3, room - x - aside));
      const box: Box = { link, captioned: captioned[index]!, x, y: top, width, height };
      top += height + BETWEEN;
      boxes.set(link.id, box);
      if (above) lines.push(lineBelow(above, box, circle));
      place(link.next, level + 1, box);
    }
  };
  place(roots, 0);
  for (const [index, each] of across.entries()) {
    const [from, to] = [boxes.get(each.from)!, boxes.get(each.to)!];
    const [x, toX] = [from.x + from.width, to.x + to.width];
    const farthest = Math.max(x, toX) + MARGIN - STEP + index * STEP;
    const path = `M${x} ${middle(from) + 5}C${farthest} ${middle(from)} ${farthest} ${middle(to)} ${toX + 6} ${middle(to)}`;
    lines.push({ path, tip: left(toX, middle(to)), circular: each.circular, across: each });
  }
  return { boxes: [...boxes.values()], lines, width: room, height: top };
}

function lineBelow(from: Box, to: Box, circle: ReadonlySet<string>): Line {
  const { link } = to;
  const x = from.x + INDENT / 2;
  const [y, toY] = [from.y + from.height, middle(to)];
  return {
    path: link.backwards ? `M${to.x} ${toY}H${x}V${y + 6}` : `M${x} ${y}V${toY}H${to.x - 6}`,
    tip: link.backwards ? up(x, y) : right(to.x, toY),
    circular: circle.has(link.id),
  };
}

function middle({ y, height }: Box): number {
  return y + height - BOX / 2;
}

const right = (x: number, y: number) => `M${x} ${y}l-8 -4v8z`;
const left = (x: number, y: number) => `M${x} ${y}l8 -4v8z`;
const up = (x: number, y: number) => `M${x} ${y}l-4 8h8z`;
