import type { AnyEntity } from '../../definition/entity.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { decide } from './decide.js';
import { matches } from './matching.js';
import { isHeldBack } from './reserved.js';

interface DueSubscription {
  readonly name: string;
  readonly request: RaiseRequest;
  readonly action: string;
  readonly params: unknown;
}

/** The subscription whose event has to be raised now, if any: the first declared one. */
export function dueSubscription(entity: AnyEntity, snapshot: Snapshot): DueSubscription | undefined {
  if (snapshot.running || isHeldBack(snapshot)) return undefined;
  for (const [name, subscription] of Object.entries(entity.subscriptions)) {
    if (snapshot.used.includes(name) || !isSubscribedIn(entity, subscription, snapshot.state)) continue;
    if (!matches(subscription.when, counted(snapshot, subscription.among))) continue;
    const decision = decide(entity, snapshot, { event: subscription.raise });
    if (!decision.accepted) continue;
    const operation =
      snapshot.awaiting[0] ??
      (snapshot.operation?.open
        ? snapshot.operation.id
        : snapshot.judgements.flatMap(({ operations }) => operations)[0]);
    return {
      name,
      action: decision.action,
      params: decision.params,
      request: {
        // No two matches of one subscription share a version: an accepted one leads to a transition.
        id: `${entityId(snapshot)}#${snapshot.life}/${snapshot.version}/${name}`,
        event: subscription.raise,
        ...(operation !== undefined && { operation }),
      },
    };
  }
  return undefined;
}

/** The subscriptions whose pattern is not there. */
export function unmatchedSubscriptions(entity: AnyEntity, snapshot: Snapshot): readonly string[] {
  return Object.entries(entity.subscriptions).flatMap(([name, { when, among }]) =>
    matches(when, counted(snapshot, among)) ? [] : [name],
  );
}

/** The successors that a subscription looks at. */
export function counted(snapshot: Snapshot, among: 'operation' | 'life' = 'operation'): readonly Successor[] {
  if (among === 'life') return snapshot.successors;
  // While it rests for several operations, the successors of all of them count: none may wait for ever.
  const operations = [...snapshot.awaiting, snapshot.operation?.id];
  return snapshot.successors.filter(({ operation }) => operations.includes(operation));
}
