/*
 * A running tree, explained: each component with its phase, since when, and what it is doing or waits for. W1
 */
import { Draft } from '../tree/draft.js';
import type { Kinds } from '../tree/kind.js';
import { DEPLOY } from '../tree/plant.js';
import { DraftSelf } from '../tree/self.js';
import type { Component, End, Phase, PendingCall, RunningHandler, Tree } from '../tree/tree.js';
import { lengthOf } from './words.js';

/** Describes what is known of one component. */
export interface Explanation {
  /** From the root on; the root's is ''. */
  readonly path: string;
  readonly name: string;
  readonly kind: string;
  /** `to come`: a step whose turn has not come yet. `detached`: it has left the tree, as only the store still knows. */
  readonly phase: Phase | 'to come' | 'detached';
  /** Shows when it came into its phase, in milliseconds since 1970. */
  readonly since?: number;
  /** Shows what it is doing, and what it waits for: one thing each. */
  readonly doing: readonly string[];
  /** Shows when it continues by itself, in milliseconds since 1970. */
  readonly due?: number;
  /** Shows how it ended, or ends. */
  readonly end?: End;
  /** In the order of their creation; then those that are to come. */
  readonly children: readonly Explanation[];
}

/** Explains a tree. `now` is that of whoever looks, in milliseconds since 1970. */
export function explainTree(kinds: Kinds, tree: Tree, now = tree.now): Explanation {
  const draft = new Draft(kinds, tree);
  return explain(draft, tree.root, now);
}

function explain(draft: Draft, id: number, now: number): Explanation {
  const component = draft.get(id);
  const { name, phase, since, due, end, children } = component;
  return {
    path: draft.path(id),
    name,
    kind: draft.description(id).kind,
    phase,
    since,
    doing: doingOf(draft, component, now),
    ...(due !== undefined && { due }),
    ...(end && { end }),
    children: [...children.map((child) => explain(draft, child, now)), ...toCome(draft, component)],
  };
}

/** The steps of a sequence whose turn has not come. */
function toCome(draft: Draft, { id, phase, children }: Component): readonly Explanation[] {
  if (draft.description(id).kind !== 'Sequence' || phase === 'ending' || phase === 'ended') return [];
  const known = new Set(children.map((child) => draft.get(child).name));
  const steps = draft.description(id).children;
  const last = steps.findLastIndex(([name]) => known.has(name));
  const path = draft.path(id);
  return steps.slice(last + 1).map(([name, template]) => ({
    path: path === '' ? name : `${path}/${name}`,
    name,
    kind: draft.described(template).kind,
    phase: 'to come',
    doing: [],
    children: [],
  }));
}

function doingOf(draft: Draft, component: Component, now: number): readonly string[] {
  const { id, phase, calls = [], handlers = [], due, pendingEnd, inbox = [] } = component;
  return [
    ...inPhase(draft, component),
    ...handlers.filter(({ key }) => !calls.some(({ handler }) => handler === key)).map((each) => running(each, now)),
    ...calls.map((call) => waiting(call, now)),
    ...(due === undefined ? [] : [due > now ? `due in ${lengthOf(due - now)}` : 'due now']),
    ...(inbox.length > 0 ? [`${counted(inbox.length, 'event')} ${inbox.length === 1 ? 'waits' : 'wait'} for it`] : []),
    ...(pendingEnd ? [`ends when it is up: ${pendingEnd.end.description}`] : []),
    ...(phase === 'up' && draft.kind(id).isCondition && component.asker !== undefined ? ['is being asked'] : []),
  ];
}

function inPhase(draft: Draft, component: Component): readonly string[] {
  const { id, phase, ending, end } = component;
  switch (phase) {
    case 'created':
      return ['waits to be deployed'];
    case 'deployed':
      return ['waits to be started'];
    case 'starting':
    case 'up':
      return kindSays(draft, id);
    case 'ending':
      if (ending === 'held') return kindSays(draft, id);
      return [
        ending === 'handler' ? 'cleans up' : `waits for the ends of ${counted(living(draft, component), 'component')}`,
      ];
    case 'ended':
      return [`${end!.description}${end!.component === draft.path(id) ? '' : ` (${end!.component || 'the root'})`}`];
  }
}

function living(draft: Draft, { children }: Component): number {
  return children.filter((child) => draft.get(child).phase !== 'ended').length;
}

/** Tells what the kind itself says: nothing when it cannot, since a reference leads nowhere now. */
function kindSays(draft: Draft, id: number): readonly string[] {
  try {
    const said = draft.kind(id).doing?.(new DraftSelf(draft, id));
    return said === undefined ? [] : [said];
  } catch {
    return [];
  }
}

function waiting({ activity, since, host, handler }: PendingCall, now: number): string {
  const where = host === undefined ? '' : ` on ${host}`;
  if (activity === DEPLOY) return `waits for a deployment${where} to come up for ${lengthOf(now - since)}`;
  const by = handler === undefined ? '' : ` in its ${handler.replace(/^.*\/(\w+):\d+$/, '$1')}`;
  return `waits for ${activity}${where}${by} for ${lengthOf(now - since)}`;
}

function running({ handler, at }: RunningHandler, now: number): string {
  return `runs its ${handler} for ${lengthOf(now - at)}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
