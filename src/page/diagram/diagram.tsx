import { useSignal } from '@preact/signals';
import { h, type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useReading } from '../api/reading.js';
import type { Diagram } from '../api/shapes.js';
import { drawDiagram, type Notes, type Shape } from '../../diagram/drawing.js';
import { frameMoves } from './frame-moves.js';

/** The choice that a state or an arrow offers; none where it cannot be chosen. */
export interface Choosing {
  state?(state: string): Choice | undefined;
  arrow?(from: string, to: string): Choice | undefined;
}

interface Choice {
  readonly label: string;
  choose(): void;
}

interface Props {
  readonly type: string;
  readonly notes: Notes;
  readonly choosing?: Choosing;
  /** The states that are seen at first, that in the middle before others: the labels stay as large as they are. */
  readonly near?: readonly string[];
  readonly at?: string;
}

const [LEAST_SCALE, STEP, MOST_SCALE] = [0.25, 1.25, 3];
/** How much it grows at most to fill its frame at first. */
const FILLS_TO = 1.25;

/** The state diagram of a type, with notes. Where none was laid out, nothing is shown: what it says is beside it as a list. */
export function StateDiagram({ type, notes, choosing, near = [], at }: Props) {
  const { data } = useReading<Diagram>(`/docs/diagrams/${type}.json`).value;
  const frame = useRef<HTMLDivElement>(null);
  const scale = useSignal<number | undefined>(undefined);
  const seen = `${at} ${near.join()}`;
  const show = () => {
    if (!data || !frame.current) return;
    const area = areaOf(data, near, at);
    const room = fitting(frame.current, [area[2], area[3]]);
    scale.value = Math.min(FILLS_TO, Math.max(1, room));
    const middle = room < 1 && at !== undefined ? areaOf(data, [at], at) : area;
    centre(frame.current, data, scale.value, [middle[0] + middle[2] / 2, middle[1] + middle[3] / 2]);
  };
  useLayoutEffect(show, [data, seen]);
  if (!data) return null;
  const zoom = (to: number) => {
    const { current } = frame;
    if (!current) return;
    const before = scale.value ?? 1;
    const middle = [
      (current.scrollLeft + current.clientWidth / 2) / before,
      (current.scrollTop + current.clientHeight / 2) / before,
    ] as const;
    scale.value = Math.min(MOST_SCALE, Math.max(LEAST_SCALE, to));
    centre(current, data, scale.value, middle);
  };
  const by = (factor: number) => zoom((scale.value ?? 1) * factor);
  const fit = () => frame.current && zoom(fitting(frame.current, data.size));
  const tool = (text: string, label: string, act: () => void) => (
    <button type="button" class="small" aria-label={label} title={label} onClick={act}>
      {text}
    </button>
  );
  return (
    <div class="diagram-part">
      <div
        ref={frame}
        class="diagram-frame"
        tabIndex={0}
        role="group"
        aria-label={`State diagram of ${type}: arrow keys move it, + and − zoom`}
        {...frameMoves(by, fit)}
      >
        {element(drawDiagram(data, notes), choosing, { width: `${Math.round(data.size[0] * (scale.value ?? 1))}px` })}
      </div>
      <div class="diagram-tools" role="group" aria-label="Zoom">
        {tool('−', 'Smaller', () => by(1 / STEP))}
        {tool('+', 'Larger', () => by(STEP))}
        {tool('All', 'Show all of the diagram', fit)}
        {tool('Here', 'Here: how it was at first', show)}
      </div>
      <p class="legend">
        » automatic · × attempts used up · dashed: runs an action automatically · bold: waits for others
      </p>
    </div>
  );
}

type Area = readonly [x: number, y: number, width: number, height: number];
const MARGIN = 24;

/** The area of the states that are looked for; of the whole diagram where there are none. */
function areaOf({ states, size }: Diagram, near: readonly string[], at: string | undefined): Area {
  const mine = states.filter(({ name }) => near.includes(name) || name === at);
  if (mine.length === 0) return [0, 0, ...size];
  const left = Math.min(...mine.map((each) => each.at[0])) - MARGIN;
  const top = Math.min(...mine.map((each) => each.at[1])) - MARGIN;
  const right = Math.max(...mine.map((each) => each.at[0] + each.size[0])) + MARGIN;
  const bottom = Math.max(...mine.map((each) => each.at[1] + each.size[1])) + MARGIN;
  return [left, top, right - left, bottom - top];
}

/** How large something of this size can be drawn in the frame. */
function fitting(frame: HTMLElement, [width, height]: readonly [number, number]): number {
  const most = parseFloat(getComputedStyle(frame).maxHeight) || frame.clientHeight;
  return Math.min(frame.clientWidth / width, most / height);
}

/** Scrolls a place of the diagram to the middle. Its size is set here too, since the frame has to have it already. */
function centre(frame: HTMLElement, { size }: Diagram, scale: number, [x, y]: readonly [number, number]): void {
  frame.querySelector('svg')!.style.width = `${Math.round(size[0] * scale)}px`;
  frame.scrollLeft = x * scale - frame.clientWidth / 2;
  frame.scrollTop = y * scale - frame.clientHeight / 2;
}

function element(shape: Shape, choosing: Choosing | undefined, style?: object): VNode {
  const { tag, attributes, children } = shape;
  const choice = choosing && choiceOf(attributes, choosing);
  const inner = children.map((child) => (typeof child === 'string' ? child : element(child, choosing)));
  const role = tag === 'svg' && choosing && { role: 'group' };
  return h(
    tag,
    { ...attributes, ...role, ...(style && { style }), ...(choice && asButton(choice)) },
    choice && h('title', {}, choice.label),
    ...inner,
  );
}

function choiceOf(attributes: Shape['attributes'], choosing: Choosing): Choice | undefined {
  const { 'data-state': state, 'data-from': from, 'data-to': to } = attributes;
  if (state !== undefined) return choosing.state?.(String(state));
  return from === undefined ? undefined : choosing.arrow?.(String(from), String(to));
}

function asButton({ choose }: Choice) {
  return {
    ...{ tabindex: 0, role: 'button', onClick: choose },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    },
  };
}
