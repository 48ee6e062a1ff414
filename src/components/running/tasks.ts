import type { Draft } from '../tree/draft.js';
import { deliver } from '../tree/events.js';
import { runHandler } from '../tree/handlers.js';
import type { Child, Kind, Self } from '../tree/kind.js';
import type { Task } from '../tree/task.js';
import type { Component, End, EventPassed } from '../tree/tree.js';
import { end, endFailed, proceed } from './end.js';
import { invoke } from './invoke.js';
import { begin, settle } from './start.js';

/** Does one thing. A component that has gone meanwhile needs nothing any more. */
export function perform(draft: Draft, task: Task): void {
  const { id } = task;
  const component = draft.find(id);
  if (!component) return;
  const active = isActive(component);
  switch (task.do) {
    case 'start':
      return begin(draft, id);
    case 'settle':
      return settle(draft, id);
    case 'end':
      return end(draft, id, task.end, task.quiet);
    case 'fail':
      return endFailed(draft, id, task.end);
    case 'proceed':
      return proceed(draft, id);
    case 'childUp':
      if (active) withChild(draft, id, task.child, (kind, self, child) => kind.childUp?.(self, child));
      return settle(draft, id);
    case 'childLeft':
      if (active) invoke(draft, id, (kind, self) => kind.childLeft?.(self));
      return settle(draft, id);
    case 'childEnded':
      if (active) childEnded(draft, component, task.child, task.end);
      // A child that belongs to it from the beginning cannot be missing when it starts.
      else if (component.phase !== 'ending') return endFailed(draft, id, task.end);
      return settle(draft, id);
    case 'launched':
      if (active) invoke(draft, id, (kind, self) => kind.launched?.(self, task.failure));
      return;
    case 'due':
      return due(draft, component);
    case 'answered':
      if (active) invoke(draft, id, (kind, self) => kind.answered?.(self, task.result));
      return;
    case 'handle':
      return handle(draft, component, task.event);
    case 'dispatch':
      return deliver(draft, task.event.event, task.event.passed, [{ id }]);
    case 'evaluate':
      return evaluate(draft, component, task.asker);
    case 'evaluated':
      if (active) withChild(draft, id, task.child, (kind, self, child) => kind.evaluated?.(self, child, task.verdict));
      return settle(draft, id);
    case 'ping':
      return ping(draft, component);
  }
}

/** Tells whether its kind has a say: it starts, is up, or does something before it ends. */
function isActive({ phase, began, ending }: Component): boolean {
  return phase === 'up' || (phase === 'starting' && began === true) || (phase === 'ending' && ending === 'held');
}

function withChild(draft: Draft, id: number, child: number, reduce: (kind: Kind, self: Self, child: Child) => void) {
  const its = draft.find(child);
  if (its) invoke(draft, id, (kind, self) => reduce(kind, self, its));
}

/** Where a part did not come up, and its parent ends for that while it starts, the start of the parent has failed. start.1 */
function childEnded(draft: Draft, { id, phase }: Component, child: number, its: End): void {
  const before = draft.agenda.length;
  const isMissing = phase === 'starting' && draft.find(child)?.undeployed === true;
  withChild(draft, id, child, (kind, self, ended) => kind.childEnded?.(self, ended, its));
  if (!isMissing) return;
  for (const [index, task] of draft.agenda.entries()) {
    if (index < before || task.do !== 'end' || task.id !== id) continue;
    if (task.end !== its && task.end.type === 'normal') continue;
    draft.agenda[index] = { do: 'fail', id, end: task.end };
  }
}

function due(draft: Draft, component: Component): void {
  if (component.due === undefined || component.due > draft.now || !isActive(component)) return;
  draft.change(component.id, { due: undefined });
  invoke(draft, component.id, (kind, self) => kind.due?.(self));
  settle(draft, component.id);
}

/** Events that come before it is up are kept. Code of one's own takes one after the other. */
function handle(draft: Draft, { id, phase, inbox = [], handlers = [] }: Component, event: EventPassed): void {
  if (phase === 'deployed' || phase === 'starting') {
    draft.change(id, { inbox: [...inbox, event] });
  } else if (phase === 'up') {
    if (!draft.kind(id).handlers?.has('handle')) {
      invoke(draft, id, (kind, self) => kind.event?.(self, event));
    } else if (handlers.some(({ handler }) => handler === 'handle')) {
      draft.change(id, { inbox: [...inbox, event] });
    } else invoke(draft, id, () => runHandler(draft, id, 'handle', event.event));
  }
}

/** A condition answers whoever asks, one at a time. W-8 */
function evaluate(draft: Draft, { id, phase, asker }: Component, asks: number): void {
  const { isCondition } = draft.kind(id);
  if (!isCondition || phase !== 'up' || asker !== undefined) {
    const message = isCondition ? `it is ${asker === undefined ? phase : 'being asked already'}` : 'it is no condition';
    const error = { code: 'not_evaluated', message: `${draft.path(id)} cannot be evaluated: ${message}.` };
    return draft.push({ do: 'evaluated', id: asks, child: id, verdict: { error } });
  }
  draft.change(id, { asker: asks });
  if (draft.kind(id).handlers?.has('evaluate')) invoke(draft, id, () => runHandler(draft, id, 'evaluate'));
  else invoke(draft, id, (kind, self) => kind.evaluate?.(self));
}

/** From parent to child only, and no further than a component that answers for its children. W-5 */
function ping(draft: Draft, { id, phase, handlers = [], children }: Component): void {
  if (phase !== 'up') return;
  if (draft.kind(id).handlers?.has('ping') && !handlers.some(({ handler }) => handler === 'ping')) {
    invoke(draft, id, () => runHandler(draft, id, 'ping'));
  }
  if (invoke(draft, id, (kind, self) => kind.ping?.(self)) === 'stop') return;
  for (const child of children) draft.push({ do: 'ping', id: child });
}
