/*
 * From deployed to up. An end that comes in between is delivered when the start is over. W-2
 *
 * start.1. A component is up only when what it stands for is up. A child that does not come up while its parent starts is heard of
 *     before; where the parent ends for that, it has not come up either.
 */
import type { Draft } from '../tree/draft.js';
import { runHandler } from '../tree/handlers.js';
import { end } from './end.js';
import { invoke } from './invoke.js';
import type { Component } from '../tree/tree.js';

/** Begins the start of a component: code of its own first. */
export function begin(draft: Draft, id: number): void {
  if (draft.find(id)?.phase !== 'starting') return;
  draft.change(id, { began: true });
  if (draft.kind(id).handlers?.has('start')) invoke(draft, id, () => runHandler(draft, id, 'start'));
  else goOn(draft, id);
}

/** The start of what the component consists of. */
export function goOn(draft: Draft, id: number): void {
  invoke(draft, id, (kind, self) => kind.start?.(self));
  settle(draft, id);
}

/** The component is up when its own start and that of its children is over. */
export function settle(draft: Draft, id: number): void {
  const component = draft.find(id);
  if (component?.phase !== 'starting' || !component.began) return;
  if (component.handlers?.some(({ handler }) => handler === 'start')) return;
  if (component.children.some((child) => isComingUp(draft, draft.get(child)))) return;
  if (component.began && invoke(draft, id, (kind, self) => kind.isStarting?.(self))) return;
  // A reducer that failed has ended it already, as soon as its turn comes.
  if (draft.agenda.some((task) => task.do === 'fail' && task.id === id)) return;
  const { pendingEnd, inbox = [], parent, launcher } = component;
  draft.change(id, { phase: 'up', since: draft.now, pendingEnd: undefined, inbox: undefined, launcher: undefined });
  draft.record(id);
  if (parent !== undefined) draft.push({ do: 'childUp', id: parent, child: id });
  if (launcher !== undefined) draft.push({ do: 'launched', id: launcher });
  // At once: what else ends it now has come later. W-1
  if (pendingEnd) end(draft, id, pendingEnd.end, pendingEnd.quiet);
  else invoke(draft, id, (kind, self) => kind.up?.(self));
  for (const event of inbox) draft.push({ do: 'handle', id, event });
}

/** Tells whether a child may still come up, or has failed to and its parent has yet to hear of that. start.1 */
function isComingUp(draft: Draft, { id, phase, undeployed, told, quiet }: Component): boolean {
  if (phase === 'starting' || !undeployed) return phase === 'starting';
  if (told) return draft.agenda.some((task) => task.do === 'childEnded' && task.child === id);
  return !quiet || phase !== 'ended';
}
