/*
 * From up to ended.
 *
 * end.1. A component ends once: the first end wins. W-1
 * end.2. An end that comes while it starts is delivered when its start is over. W-2
 * end.3. What it holds ends too, the last declared first: together, or one by one with sfSyncTerminate. It has ended when all of it
 *     has. W-3
 * end.4. Its parent is told once, in the order of ends: when its own clean-up is over, and with sfSyncTerminate that of its children
 *     as well. W-4
 * end.5. A deployment that ends since it cannot come up has failed to deploy, and its record says so.
 */
import { readAttribute } from '../tree/attribute.js';
import type { Draft } from '../tree/draft.js';
import { runHandler } from '../tree/handlers.js';
import type { End } from '../tree/tree.js';
import { invoke } from './invoke.js';
import { messageOf } from '../../definition/thrown.js';

/** Ends a component, or keeps the end until it has started. end.1, end.2 */
export function end(draft: Draft, id: number, its: End, quiet = false): void {
  const component = draft.find(id);
  if (!component) return;
  const { phase } = component;
  if (phase === 'ending' || phase === 'ended') return;
  if (phase !== 'starting') beginEnd(draft, id, its, quiet);
  else if (!component.pendingEnd) draft.change(id, { pendingEnd: { end: its, ...(quiet && { quiet }) } });
}

/** Ends a component that cannot go on. One that starts has not come up. */
export function endFailed(draft: Draft, id: number, its: End): void {
  const component = draft.find(id);
  if (!component) return;
  const { phase, pendingEnd } = component;
  if (phase === 'ending') return draft.record(id, { message: `Its end continues anyway: ${its.description}` });
  if (phase === 'ended') return;
  if (phase !== 'up') draft.change(id, { undeployed: true });
  // end.5
  const isUndeployed = phase !== 'up' && id === draft.root;
  if (!pendingEnd) return beginEnd(draft, id, isUndeployed ? { ...its, undeployed: true } : its, false);
  // Its start is over by that, and the end that waited for it came first. end.1, end.2
  draft.record(id, { message: `Its start has failed: ${its.description}` });
  beginEnd(draft, id, pendingEnd.end, pendingEnd.quiet === true);
}

function beginEnd(draft: Draft, id: number, its: End, quiet: boolean): void {
  const { calls = [], handlers = [], asker, launcher, began } = draft.get(id);
  draft.change(id, {
    phase: 'ending',
    since: draft.now,
    end: its,
    ending: 'children',
    ...(quiet && { quiet }),
    due: undefined,
    pendingEnd: undefined,
    inbox: undefined,
    calls: undefined,
    handlers: undefined,
    asker: undefined,
    launcher: undefined,
  });
  draft.record(id, { end: its });
  for (const { key } of calls) draft.effects.push({ kind: 'cancel', key });
  for (const { key } of handlers) draft.effects.push({ kind: 'drop', handler: key });
  if (asker !== undefined) {
    const error = { code: 'condition_ended', message: `The condition has ended: ${its.description}` };
    draft.push({ do: 'evaluated', id: asker, child: id, verdict: { error } });
  }
  if (launcher !== undefined) draft.push({ do: 'launched', id: launcher, failure: its.description });
  if (began) invoke(draft, id, (kind, self) => kind.ending?.(self));
  draft.push({ do: 'proceed', id });
}

/** Takes the end of a component as far as it can go now. */
export function proceed(draft: Draft, id: number): void {
  const component = draft.find(id);
  if (component?.phase !== 'ending' || component.ending === 'held' || component.ending === 'handler') return;
  const synchronous = isSynchronous(draft, id);
  if (component.ending === 'children') {
    endChildren(draft, id, synchronous);
    if (synchronous && living(draft, id).length > 0) return;
    if (component.began && draft.kind(id).handlers?.has('end')) {
      draft.change(id, { ending: 'handler' });
      return endByHandler(draft, id);
    }
    draft.change(id, { ending: 'done' });
  }
  finishEnd(draft, id, synchronous);
}

/** Its own clean-up is over. */
export function cleanedUp(draft: Draft, id: number): void {
  draft.change(id, { ending: 'done' });
  proceed(draft, id);
}

function endByHandler(draft: Draft, id: number): void {
  try {
    runHandler(draft, id, 'end');
  } catch (thrown) {
    draft.record(id, { message: `Its end could not run: ${messageOf(thrown)}` });
    cleanedUp(draft, id);
  }
}

/** The last declared first. end.3 */
function endChildren(draft: Draft, id: number, synchronous: boolean): void {
  const { undeployed: _, ...its } = draft.get(id).end!;
  const last = living(draft, id).toReversed();
  for (const child of synchronous ? last.slice(0, 1) : last) {
    if (draft.get(child).phase !== 'ending') draft.push({ do: 'end', id: child, end: its });
  }
}

function finishEnd(draft: Draft, id: number, synchronous: boolean): void {
  const { parent, end: its, quiet, told } = draft.get(id);
  const left = living(draft, id).length;
  if (parent !== undefined && !quiet && !told && (!synchronous || left === 0)) {
    draft.change(id, { told: true });
    draft.push({ do: 'childEnded', id: parent, child: id, end: its! });
  }
  if (left > 0) return;
  const { forgotten } = draft.change(id, { phase: 'ended', since: draft.now, ending: undefined });
  draft.record(id, { end: its! });
  if (parent !== undefined) draft.push({ do: 'proceed', id: parent });
  // Its parent is not told, and may be waiting for it to come up.
  if (parent !== undefined && quiet) draft.push({ do: 'settle', id: parent });
  if (forgotten || (parent === undefined && id !== draft.root)) draft.remove(id);
}

function living(draft: Draft, id: number): readonly number[] {
  return draft.get(id).children.filter((child) => draft.get(child).phase !== 'ended');
}

function isSynchronous(draft: Draft, id: number): boolean {
  try {
    return readAttribute(draft, id, 'sfSyncTerminate') === true;
  } catch {
    // The attribute is a reference that leads nowhere any more: the end goes on as by default.
    return false;
  }
}
