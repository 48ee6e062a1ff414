/*
 * A successor that did not end by itself, as the keeper tells. S4.4
 *
 * ended-successor.1. The keeper's word is certain, and holds for one life: a successor that has answered in that life is lost
 *     at once, in every state. Nothing that this life has said or may still say counts any more.
 * ended-successor.2. An event that has no answer yet may have reached a later life of the key: the entity looks, and once is
 *     enough.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { LivingRef } from '../../protocol/refs.js';
import type { Lost } from '../../protocol/successor-messages.js';
import { entityId, sameEntity } from '../../protocol/names.js';
import type { Snapshot, Successor } from '../../protocol/snapshot.js';
import { lookAfter, lose } from './look.js';
import { releaseOwned } from '../reservations/reservation.js';
import { andThen, type Step } from '../rules/step.js';

/** Takes in the keeper's word that a life of another entity has ended: of a successor, or of the owner of the reservation. */
export function receiveLost(entity: AnyEntity, snapshot: Snapshot, { toLife, from }: Lost, now: number): Step {
  if (toLife !== snapshot.life) return { snapshot, effects: [] };
  return andThen(loseEnded(entity, snapshot, from, now), (after) => releaseOwned(entity, after, from, now));
}

function loseEnded(entity: AnyEntity, snapshot: Snapshot, ended: LivingRef, now: number): Step {
  const known = snapshot.successors.find((each) => sameEntity(each, ended));
  // A successor that was deleted or has rejected its event reports nothing more.
  if (!known || known.ended === ended.life || known.event === 'rejected' || known.outcome?.closed) {
    return { snapshot, effects: [] };
  }
  const unanswered = known.event === 'pending';
  if (known.life !== ended.life && !(unanswered && known.life === undefined)) return { snapshot, effects: [] };
  const marked: Successor = { ...known, ended: ended.life, ...(unanswered && { missed: true }) };
  const successors = snapshot.successors.map((each) => (each === known ? marked : each));
  const after = { ...snapshot, successors };
  if (unanswered) return { snapshot: after, effects: [lookAfter(entity, after, marked)] };
  return marked.outcome?.lost ? { snapshot: after, effects: [] } : lose(entity, after, marked, now);
}

/**
 * The entities that the keeper tells of the end of this one: its watchers, those whose events still waited here, and those that
 * it had reserved.
 */
export function toBeTold({ watchers, waiting, holds, running }: Snapshot): readonly LivingRef[] {
  const raisers = waiting.flatMap(({ from }) => (from ? [from] : []));
  const reserved = [...holds, ...(running?.holds ?? [])].map(({ on }) => on);
  const all = [...watchers, ...raisers, ...reserved].map(({ type, key, life }): LivingRef => ({ type, key, life }));
  return [...new Map(all.map((each) => [`${entityId(each)} ${each.life}`, each])).values()];
}
