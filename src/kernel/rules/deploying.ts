/*
 * The deployments of states, as the rest of the kernel asks for them. W1
 */
import type { Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';

/** A deployment that is being started, whose end is awaited, or has yet to be told: until then the entity does not rest. */
export function underWay({ deployments = [] }: Pick<Snapshot, 'deployments'>): StateDeployment | undefined {
  return deployments.find(
    ({ phase, told }) =>
      phase === 'ending' || phase === 'waiting' || phase === 'starting' || (phase === 'ended' && !told),
  );
}

/** A deployment of an earlier state that has yet to end: actions wait for it. */
export function endAwaited({ deployments = [] }: Pick<Snapshot, 'deployments'>): StateDeployment | undefined {
  return deployments.find(({ phase }) => phase === 'ending');
}

/** The deployment of the present state. */
export function ownDeployment({ deployments = [] }: Pick<Snapshot, 'deployments'>): StateDeployment | undefined {
  return deployments.find(({ phase }) => phase !== 'ending' && phase !== 'left');
}

/** A deployment whose end actions await, in words. */
export function endOf({ name, state }: StateDeployment): string {
  return `the end of '${name}', which ${state} has deployed`;
}
