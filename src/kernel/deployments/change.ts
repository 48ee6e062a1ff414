/*
 * How deployments begin and end with the states of an entity. W1
 *
 * change.1. Entering a state deploys what it declares. Entering it again keeps that, also when it has ended: another state on the
 *     way deploys it anew.
 * change.2. Leaving the state ends it. Actions, and what the next state deploys, wait for that, up to the declared time.
 */
import { toMilliseconds } from '../../definition/duration.js';
import type { Description } from '../../definition/component-description.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import { entityId } from '../../protocol/names.js';
import { endAwaited } from '../rules/deploying.js';
import type { Effect, Step } from '../rules/step.js';

/** How long actions wait for the end of what a state has deployed, where the state does not say it. */
const END_WITHIN = '1m';

/** Ends what the state before has deployed, and deploys what this one does. `entered` is in its new state already. */
export function redeploy(
  entity: AnyEntity,
  before: Snapshot,
  entered: Snapshot,
  description: Description | undefined,
  now: number,
): Step {
  if (before.state === entered.state) return { snapshot: entered, effects: [] };
  const effects: Effect[] = [];
  const left = (before.deployments ?? []).flatMap((each) => {
    const { phase } = each;
    if (phase === 'ending' || phase === 'left') return [each];
    if (phase === 'waiting' || phase === 'ended') return [];
    effects.push(endIt(each.id, `${entityId(before)} has left ${before.state}`));
    const { endWithin = END_WITHIN } = entity.states[before.state]!;
    return [{ ...each, phase: 'ending', since: now, until: now + toMilliseconds(endWithin) } as const];
  });
  const { deploys } = entity.states[entered.state]!;
  if (deploys === undefined || !description) return begin(entered, left, effects, now);
  const { type, key, life, entry, state } = entered;
  const id = `run/${entityId({ type, key })}#${life}.${entry}`;
  const event = entered.engagements.at(-1)?.id;
  const of = { id, name: deploys, state, ...(event !== undefined && { event }) };
  const next: StateDeployment = { ...of, phase: 'waiting', since: now, description };
  return begin(entered, [...left, next], effects, now);
}

/** Forgets a deployment that has ended, and begins the one that has waited for that. change.2 */
export function forgetDeployment(snapshot: Snapshot, id: string, now: number): Step {
  const rest = (snapshot.deployments ?? []).filter((each) => each.id !== id);
  return begin(snapshot, rest, [], now);
}

/** Waits no more for the end of what an earlier state has deployed. change.2 */
export function leaveBehind(snapshot: Snapshot, now: number): Step {
  const rest = (snapshot.deployments ?? []).map((each): StateDeployment => {
    if (each.phase !== 'ending' || each.until! > now) return each;
    const { until: _, ...left } = each;
    return { ...left, phase: 'left', since: now };
  });
  return begin(snapshot, rest, [], now);
}

/** Tells a deployment to end. */
export function endIt(id: string, description: string): Effect {
  const end = { type: 'normal', description };
  return { kind: 'tell-deployment', id, message: { kind: 'terminate', path: '', end } };
}

/** Starts what waits, unless the end of another one is awaited. */
function begin(
  snapshot: Snapshot,
  deployments: readonly StateDeployment[],
  effects: readonly Effect[],
  now: number,
): Step {
  const { deployments: _, ...rest } = snapshot;
  if (deployments.length === 0) return { snapshot: rest, effects };
  const changed: Snapshot = { ...rest, deployments };
  const next = deployments.find(({ phase }) => phase === 'waiting');
  if (!next || endAwaited(changed)) return { snapshot: changed, effects };
  const { description, ...others } = next;
  const { type, key, life, tenant } = snapshot;
  const started: StateDeployment = { ...others, phase: 'starting', since: now };
  const deploy: Effect = {
    kind: 'deploy',
    deployment: {
      id: next.id,
      owner: { type, key, life },
      ...(tenant !== undefined && { tenant }),
      description: description!,
    },
  };
  return {
    snapshot: { ...changed, deployments: deployments.map((each) => (each === next ? started : each)) },
    effects: [...effects, deploy],
  };
}
