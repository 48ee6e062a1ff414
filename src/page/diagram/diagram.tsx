import { h, type VNode } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { useReading } from '../api/reading.js';
import type { Diagram } from '../api/shapes.js';
import { drawDiagram, type Notes, type Shape } from '../../diagram/drawing.js';

/** What happens where a state or an arrow is chosen. */
export interface Choosing {
  onState?(state: string): void;
  onArrow?(from: string, to: string): void;
}

interface Props {
  readonly type: string;
  readonly notes: Notes;
  readonly choosing?: Choosing;
  /** The state that has to be seen where not all of it fits. */
  readonly at?: string;
}

/** How much it shrinks at most to fit. */
const LEAST_SCALE = 0.84;

/** The state diagram of a type, with notes. Where none was laid out, nothing is shown: what it says is beside it as a list. */
export function StateDiagram({ type, notes, choosing, at }: Props) {
  const { data } = useReading<Diagram>(`/docs/diagrams/${type}.json`).value;
  const frame = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = at === undefined ? undefined : frame.current?.querySelector(`[data-state="${CSS.escape(at)}"]`);
    if (box && frame.current) centre(frame.current, box);
  }, [data, at]);
  if (!data) return null;
  return (
    <>
      <div
        ref={frame}
        class="diagram-frame"
        tabIndex={0}
        role="group"
        aria-label={`State diagram of ${type}, scrollable`}
      >
        {element(drawDiagram(data, notes), choosing, { minWidth: `${Math.round(data.size[0] * LEAST_SCALE)}px` })}
      </div>
      <p class="legend">
        ⟳ automatic · ✗ attempts used up · dashed: runs an action automatically · bold: waits for others
      </p>
    </>
  );
}

function centre(frame: HTMLElement, box: Element): void {
  const [outer, inner] = [frame.getBoundingClientRect(), box.getBoundingClientRect()];
  frame.scrollTop += inner.top + inner.height / 2 - (outer.top + outer.height / 2);
  frame.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
}

function element({ tag, attributes, children }: Shape, choosing: Choosing | undefined, style?: object): VNode {
  const inner = children.map((child) => (typeof child === 'string' ? child : element(child, choosing)));
  const role = tag === 'svg' && choosing && { role: 'group' };
  return h(
    tag,
    { ...attributes, ...role, ...(style && { style }), ...(choosing && behaviour(attributes, choosing)) },
    ...inner,
  );
}

function behaviour(attributes: Shape['attributes'], { onState, onArrow }: Choosing) {
  const { 'data-state': state, 'data-from': from, 'data-to': to } = attributes;
  if (state !== undefined && onState) return chosen(() => onState(String(state)), `Entities in ${state}`);
  if (from !== undefined && onArrow) return chosen(() => onArrow(String(from), String(to)), `From ${from} to ${to}`);
  return {};
}

function chosen(choose: () => void, label: string) {
  return {
    ...{ tabindex: 0, role: 'button', 'aria-label': label, onClick: choose },
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      choose();
    },
  };
}
