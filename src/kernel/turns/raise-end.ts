/*
 * The event of a deployment that has ended by itself. W1
 *
 * raise-end.1. It is raised once, within the operation under which the state was entered while that goes on, and in one of its own
 *     after that.
 * raise-end.2. Where its action has failed, it is raised again after a growing delay, as the event of a subscription is.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { settleOrGoOn } from '../actions/transition.js';
import { tell, untold } from '../deployments/ended.js';
import { begin } from '../engagements/begin.js';
import { openOperations } from '../engagements/open.js';
import { decide } from '../rules/decide.js';
import { andThen, stateOf, type Step } from '../rules/step.js';

/** When the event of an ended deployment is raised, in milliseconds since 1970; nothing where there is none. */
export function endDueAt(snapshot: Snapshot): number | undefined {
  const deployment = untold(snapshot);
  return deployment && Math.max(deployment.since, snapshot.rearm?.at ?? 0);
}

/** Raises the event of an ended deployment. raise-end.1 */
export function raiseEnd(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const deployment = untold(snapshot)!;
  const told = tell(snapshot, deployment);
  const event = stateOf(entity, snapshot).ended;
  const decision =
    event === undefined || !Object.hasOwn(entity.events, event)
      ? undefined
      : decide(entity, snapshot, { event, params: deployment.end });
  // A newer declaration may know no such event, or take no such parameters: then the entity rests with what it shows.
  if (event === undefined || !decision?.accepted) return settleOrGoOn(entity, told, now);
  const operation = snapshot.awaiting[0] ?? (snapshot.operation?.open ? snapshot.operation.id : undefined);
  const request: RaiseRequest = {
    id: `${entityId(snapshot)}#${snapshot.life}/${snapshot.version}/${deployment.name}`,
    event,
    ...(operation !== undefined && { operation }),
  };
  const { action, params } = decision;
  const started = { action, params, eventType: 'subscription', deployment: deployment.id } as const;
  // The operation that it joins must exist before it can be told.
  const joined = operation === undefined ? { snapshot: told, effects: [] } : openOperations(entity, told);
  const begun = andThen(joined, (opened) => begin(entity, opened, request, started, now));
  return andThen(begun, (each) => openOperations(entity, each));
}
