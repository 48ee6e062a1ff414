import type { Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import { ownDeployment } from '../rules/deploying.js';

/** The deployment that has ended by itself, and whose event is to be raised. */
export function untold(snapshot: Snapshot): StateDeployment | undefined {
  const own = ownDeployment(snapshot);
  return own?.phase === 'ended' && !own.told ? own : undefined;
}

/** Notes that the event of a deployment's end is raised. */
export function tell(snapshot: Snapshot, deployment: StateDeployment): Snapshot {
  const deployments = snapshot.deployments!.map((each) =>
    each === deployment ? { ...each, told: true as const } : each,
  );
  return { ...snapshot, deployments };
}

/** Lets the event of the running action be raised again, since the action has come to nothing. */
export function tellAgain(snapshot: Snapshot): Snapshot {
  return {
    ...snapshot,
    deployments: snapshot.deployments!.map(({ told, ...rest }) =>
      told && rest.id !== snapshot.running?.deployment ? { ...rest, told } : rest,
    ),
  };
}
