/*
 * How an entity finds that what a state has deployed is gone without a word. W1
 *
 * look-after.1. It is told at growing distances that the entity is there, and wants it. Where nobody hears that, it is lost.
 */
import type { Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import { lookAgainAt, type LookDistance } from '../rules/look-distance.js';
import type { Effect, Step } from '../rules/step.js';

/** When to look after what was deployed, in milliseconds since 1970; never (Infinity) when there is nothing. */
export function nextDeploymentLookAt({ deployments = [] }: Snapshot, distance: LookDistance): number {
  return Math.min(...deployments.filter(isLookedAfter).map((each) => lookAt(each, distance)), Infinity);
}

/** Looks after all that was deployed. */
export function lookAfterDeployments(snapshot: Snapshot, now: number): Step {
  const effects = (snapshot.deployments ?? [])
    .filter(isLookedAfter)
    .map(({ id }): Effect => ({ kind: 'tell-deployment', id, message: { kind: 'owner' } }));
  const deployments = (snapshot.deployments ?? []).map((each) =>
    isLookedAfter(each) ? { ...each, look: { since: now, count: (each.look?.count ?? 0) + 1 } } : each,
  );
  return { snapshot: { ...snapshot, deployments }, effects };
}

/** While its end is awaited, the time for that is limited anyway. */
function isLookedAfter({ phase }: StateDeployment): boolean {
  return phase === 'starting' || phase === 'up' || phase === 'left';
}

function lookAt({ look, since }: StateDeployment, distance: LookDistance): number {
  return lookAgainAt(look?.since ?? since, look?.count ?? 0, distance);
}
