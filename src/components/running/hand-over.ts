/*
 * Components that have left their parent go on in trees of their own, with everything that is under way in them. W4
 */
import { hostOf } from '../tree/change.js';
import type { Draft } from '../tree/draft.js';
import type { Component, Tree } from '../tree/tree.js';

/** Takes those that were detached, and are not about to end, out of the tree. */
export function handOver(draft: Draft): void {
  for (const component of draft.all) {
    const { id, parent, phase, pendingEnd } = component;
    if (id === draft.root || parent !== undefined) continue;
    const goesOn = phase === 'deployed' || phase === 'starting' || phase === 'up';
    if (!goesOn || pendingEnd || draft.agenda.some((task) => task.id === id)) continue;
    const host = hostOf(draft, id);
    draft.effects.push({ kind: 'deploy', tree: ownTree(draft, component), ...(host !== undefined && { host }) });
    draft.remove(id);
  }
}

function ownTree(draft: Draft, { id }: Component): Tree {
  const ids = below(draft, id);
  return {
    ...draft.tree,
    run: `${draft.run}/${draft.path(id)}`,
    root: id,
    components: Object.fromEntries(ids.map((each) => [each, draft.get(each)])),
    agenda: [],
  };
}

function below(draft: Draft, id: number): readonly number[] {
  return [id, ...draft.get(id).children.flatMap((child) => below(draft, child))];
}
