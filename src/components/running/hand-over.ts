/*
 * Components that have left their parent go on in trees of their own, with everything that is under way in them. W4
 */
import type { Draft } from '../tree/draft.js';
import { DEPLOY } from '../tree/plant.js';
import { absolute } from '../tree/events.js';
import type { Component, Tree } from '../tree/tree.js';

/** Takes those that were detached, and are not about to end, out of the tree. */
export function handOver(draft: Draft): void {
  for (const id of [...draft.detached].sort((one, other) => one - other)) {
    const component = draft.get(id);
    const { phase, pendingEnd } = component;
    const goesOn = phase === 'deployed' || phase === 'starting' || phase === 'up';
    const ids = new Set(below(draft, id));
    if (!goesOn || pendingEnd || draft.agenda.some((task) => ids.has(task.id))) continue;
    // The deployment of its `run` tells this workflow that it is up, and has the address of no other one.
    if ([...ids].some((each) => draft.get(each).calls?.some(({ activity }) => activity === DEPLOY))) continue;
    const host = draft.get(id).attributes?.['host'];
    const tree = ownTree(draft, component, ids);
    // It runs there again, over its journal.
    for (const each of ids) {
      for (const { key } of draft.get(each).handlers ?? []) draft.effects.push({ kind: 'drop', handler: key });
    }
    draft.effects.push({ kind: 'deploy', tree, ...(typeof host === 'string' && { host }) });
    listenAcross(draft, tree.run, component, ids);
    draft.remove(id);
  }
}

function ownTree(draft: Draft, { id }: Component, ids: ReadonlySet<number>): Tree {
  // Those that listen from outside are named as others know them from now on. W-7
  const own = [...ids].map((each) => {
    const component = draft.get(each);
    const listeners = component.listeners?.flatMap((one) => {
      if (typeof one === 'string' || ids.has(one)) return [one];
      return draft.find(one) ? [absolute(draft, one)] : [];
    });
    return [each, listeners ? { ...component, listeners } : component] as const;
  });
  return {
    ...draft.tree,
    run: `${draft.run}/${draft.path(id)}`,
    root: id,
    components: Object.fromEntries(own),
    agenda: [],
  };
}

/** Lets what has left go on to hear those that stay. W-7 */
function listenAcross(draft: Draft, run: string, { id }: Component, ids: ReadonlySet<number>): void {
  const root = draft.path(id);
  for (const component of draft.all) {
    if (ids.has(component.id) || !component.listeners?.some((one) => typeof one === 'number' && ids.has(one))) continue;
    const listeners = component.listeners.map((one) =>
      typeof one === 'string' || !ids.has(one) ? one : `/${run}${draft.path(one).slice(root.length)}`,
    );
    draft.change(component.id, { listeners });
  }
}

function below(draft: Draft, id: number): readonly number[] {
  return [id, ...draft.get(id).children.flatMap((child) => below(draft, child))];
}
