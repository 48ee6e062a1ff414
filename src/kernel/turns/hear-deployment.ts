/*
 * All that an entity hears of what its states have deployed. W1
 *
 * hear-deployment.1. The operation goes on until the deployment is up, or has ended.
 * hear-deployment.2. A deployment of which the entity does not know any more is told to end.
 * hear-deployment.3. Where it has failed to deploy, or is lost before it was up, the operation of the event that has led into the state
 *     has failed, unless a later deployment comes up before the entity settles.
 * hear-deployment.4. One that is gone without a word, as when its workflow was terminated, counts as ended: lost.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { EndRecord } from '../../definition/end-record.js';
import type { EntityMessage } from '../../protocol/entity-message.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import { settleOrGoOn } from '../actions/transition.js';
import { unchained } from '../rules/chain.js';
import { underWay } from '../rules/deploying.js';
import { andThen, type Step } from '../rules/step.js';
import { endIt, forgetDeployment, leaveBehind } from '../deployments/change.js';

/** The code of the error of an operation whose deployment has failed to deploy. */
const UNDEPLOYED = 'undeployed';

/** Gives what follows from the word of a deployment. */
export function hearDeployment(
  entity: AnyEntity,
  snapshot: Snapshot,
  { id, toLife, end, atOnce }: Extract<EntityMessage, { kind: 'deployment' }>,
  now: number,
): Step {
  const deployment = toLife === snapshot.life ? find(snapshot, id) : undefined;
  if (!deployment) {
    // hear-deployment.2
    const effects = end ? [] : [endIt(id, `${entityId(snapshot)} does not know it`)];
    return { snapshot, effects };
  }
  if (end) return ended(entity, atOnce ? snapshot : unchained(snapshot, now), deployment, end, now);
  if (deployment.phase !== 'starting') return { snapshot, effects: [] };
  const { event: _, ...rest } = deployment;
  const up: StateDeployment = { ...rest, phase: 'up', since: now };
  const made = madeGood(replaced(snapshot, deployment, up));
  return goOn(entity, snapshot, { snapshot: made, effects: [] }, now);
}

/** Gives what follows when a deployment is not there. hear-deployment.4 */
export function loseDeployment(entity: AnyEntity, snapshot: Snapshot, id: string, now: number): Step {
  const deployment = find(snapshot, id);
  if (!deployment) return { snapshot, effects: [] };
  const description = `${id} has ended without a word, as when its workflow is terminated`;
  return ended(entity, unchained(snapshot, now), deployment, { type: 'lost', description, component: '' }, now);
}

/** Waits no more for the end of what an earlier state has deployed. */
export function letGo(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  return goOn(entity, snapshot, leaveBehind(snapshot, now), now);
}

function ended(entity: AnyEntity, snapshot: Snapshot, deployment: StateDeployment, end: EndRecord, now: number): Step {
  switch (deployment.phase) {
    case 'waiting':
    case 'ended':
      return { snapshot, effects: [] };
    case 'ending':
    case 'left':
      return goOn(entity, snapshot, forgetDeployment(snapshot, deployment.id, now), now);
    case 'starting':
    case 'up': {
      const { look: _look, event: _event, ...rest } = deployment;
      const over: StateDeployment = { ...rest, phase: 'ended', since: now, end };
      const neverUp = end.undeployed === true || (deployment.phase === 'starting' && end.type === 'lost');
      const failed = neverUp ? failedToDeploy(snapshot, deployment, end) : snapshot;
      return goOn(entity, snapshot, { snapshot: replaced(failed, deployment, over), effects: [] }, now);
    }
  }
}

/** hear-deployment.3 */
function failedToDeploy(snapshot: Snapshot, { name, event }: StateDeployment, { description }: EndRecord): Snapshot {
  const error = {
    kind: 'needs_operator',
    code: UNDEPLOYED,
    message: `'${name}' has failed to deploy: ${description}`,
  } as const;
  const engagements = snapshot.engagements.map((each) => (each.id === event ? { ...each, error } : each));
  return { ...snapshot, engagements };
}

function madeGood(snapshot: Snapshot): Snapshot {
  const engagements = snapshot.engagements.map(({ error, ...rest }) =>
    error && error.code !== UNDEPLOYED ? { ...rest, error } : rest,
  );
  return { ...snapshot, engagements };
}

/** Settles the entity where it has not rested for the deployment alone. hear-deployment.1 */
function goOn(entity: AnyEntity, before: Snapshot, step: Step, now: number): Step {
  const rested = before.running || !underWay(before) || underWay(step.snapshot);
  return rested ? step : andThen(step, (snapshot) => settleOrGoOn(entity, snapshot, now));
}

function find({ deployments = [] }: Snapshot, id: string): StateDeployment | undefined {
  return deployments.find((each) => each.id === id);
}

function replaced(snapshot: Snapshot, old: StateDeployment, by: StateDeployment): Snapshot {
  return { ...snapshot, deployments: snapshot.deployments!.map((each) => (each === old ? by : each)) };
}
