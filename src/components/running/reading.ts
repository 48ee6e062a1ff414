import type { Effect } from '../tree/effect.js';
import { Draft } from '../tree/draft.js';
import { callEffect } from '../tree/handlers.js';
import { DEPLOY, launchedRun } from '../tree/plant.js';
import { childNamed } from '../tree/resolve.js';
import type { Kinds } from '../tree/kind.js';
import type { Result } from '../tree/result.js';
import type { Component, End, Tree } from '../tree/tree.js';

/** Returns when the tree wants to continue by itself, in milliseconds since 1970. */
export function nextDue(tree: Tree): number | undefined {
  if (tree.agenda.length > 0) return tree.now;
  const due = Object.values(tree.components).flatMap((component: Component) => component.due ?? []);
  return due.length === 0 ? undefined : due.reduce((earliest, each) => Math.min(earliest, each));
}

/** The record of the tree's end, once all of it has ended. W-3 */
export function endOf(tree: Tree): End | undefined {
  const all: readonly Component[] = Object.values(tree.components);
  return all.every(({ phase }) => phase === 'ended') ? tree.components[tree.root]?.end : undefined;
}

/** How the launch of a tree has come out, for the `run` that has started it: nothing while it comes up. W4 */
export function launchOf({ components, root }: Tree): Result | undefined {
  const { phase, end, undeployed } = components[root]!;
  if (phase !== 'up' && !end) return undefined;
  return undeployed ? { error: { code: 'not_up', message: end!.description } } : {};
}

/** A tree that a `run` has started, and that has yet to tell it that it is up. */
export interface Launch {
  readonly run: string;
  readonly key: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

/** The trees that a `run` of this one has started and that have yet to tell that they are up. W4 */
export function launchesOf({ components }: Tree): readonly Launch[] {
  const all: readonly Component[] = Object.values(components);
  const calls = all.flatMap((component) => component.calls ?? []).filter(({ activity }) => activity === DEPLOY);
  return calls.map(({ key, input, since }) => ({ run: launchedRun(input), key, since }));
}

/** Describes how it stands with a component, for callers that end it or ask for it. W-1 */
export type ComponentStatus =
  | { readonly status: 'running'; readonly component: Component }
  | { readonly status: 'ended'; readonly end: End }
  /** There is none at this path, or its parent has forgotten it. */
  | { readonly status: 'gone' };

/** Returns how the component at a path is, also after its end. */
export function statusOf(kinds: Kinds, tree: Tree, path: string): ComponentStatus {
  const draft = new Draft(kinds, tree);
  let component: Component | undefined = draft.find(tree.root);
  for (const name of path === '' ? [] : path.split('/')) component = component && childNamed(draft, component, name);
  // The next round of a repetition begins while the last one ends: what belongs to that is known until it is forgotten.
  component ??= draft.all.findLast(({ id }) => draft.path(id) === path);
  if (!component) return { status: 'gone' };
  const { end } = component;
  return end ? { status: 'ended', end } : { status: 'running', component };
}

/**
 * The effects that are still to be carried out when the tree goes on in a new run: calls with the keys that they had, and handlers. What
 * a `run` has started is started.
 */
export function underWay(kinds: Kinds, tree: Tree): readonly Effect[] {
  const draft = new Draft(kinds, tree);
  return draft.all.flatMap(({ id, calls = [], handlers = [] }) => [
    ...calls.filter(({ activity }) => activity !== DEPLOY).map((call) => callEffect(draft, id, call)),
    ...handlers.map((handler): Effect => ({
      kind: 'run',
      component: draft.path(id),
      of: draft.description(id).kind,
      handler,
    })),
  ]);
}
