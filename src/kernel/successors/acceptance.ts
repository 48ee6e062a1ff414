/*
 * Tells an entity that its event was accepted: one that was raised without waiting, where a subscription asks for acceptance.
 * S3.3, S4.3
 */
import { patternsIn } from '../../definition/checks/patterns.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Accepted } from '../../protocol/successor-messages.js';
import { entityId, sameEntity } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { inChain, toldChain } from '../rules/chain.js';
import type { Effect, Step } from '../rules/step.js';
import { react } from '../triggers/subscription.js';

/** Tells whether an entity has to be told of acceptance. Others need no message, since the report says it too. */
export function followsAcceptance({ subscriptions }: AnyEntity): boolean {
  return Object.values(subscriptions).some(({ when }) => patternsIn(when).some(({ test }) => test.is === 'accepted'));
}

/** Tells the entity that has raised an event that it was accepted. */
/** @param snapshot the entity with the event as it has begun, whose chain goes on */
export function tellAccepted(snapshot: Snapshot, { id, from }: RaiseRequest): readonly Effect[] {
  if (!from?.follows) return [];
  const message: Accepted = {
    kind: 'accepted',
    from: { type: snapshot.type, key: snapshot.key, life: snapshot.life },
    toLife: from.life,
    request: id,
    ...toldChain(snapshot),
  };
  return [{ kind: 'send', to: { type: from.type, key: from.key }, message }];
}

/** Notes that a successor has accepted the event that was raised on it last. A report that overtook this message says more. */
export function receiveAccepted(entity: AnyEntity, snapshot: Snapshot, accepted: Accepted, now: number): Step {
  const { toLife, from, request } = accepted;
  const known = snapshot.successors.find((each) => sameEntity(each, from) && each.request === request);
  if (toLife !== snapshot.life || known?.event !== 'pending') return { snapshot, effects: [] };
  const successors = snapshot.successors.map((each) =>
    each === known ? { ...each, event: 'accepted' as const } : each,
  );
  const { snapshot: after, effects } = react(entity, { ...inChain(snapshot, accepted.chain, now), successors }, now);
  const begun = after.running !== snapshot.running ? after.engagements.at(-1) : undefined;
  if (!begun) return { snapshot: after, effects };
  // The operation hears of this by no judgement and could end before, so it is told here. The successor's own end can only come
  // later. S4.2
  const told: Effect = {
    kind: 'tell',
    operation: begun.operation,
    message: {
      kind: 'judged',
      judgements: [],
      caused: [{ engagement: begun.id, on: entityId(after), event: begun.event }],
    },
  };
  return { snapshot: after, effects: [...effects, told] };
}
