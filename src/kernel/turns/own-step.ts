/*
 * What an entity has to do itself when its time comes.
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { LookDistance } from '../rules/look-distance.js';
import { nextLookAt } from '../successors/look.js';
import { stateOf } from '../rules/step.js';
import { nextTimer } from '../triggers/timers.js';

export interface OwnStep {
  readonly kind: 'timer' | 'subscriptions' | 'automatic' | 'look';
  /** From when on, in milliseconds since 1970. */
  readonly at: number;
}

/** One of each kind at most, in the order in which they go when the time of several has come. */
export function ownSteps(entity: AnyEntity, snapshot: Snapshot, distance: LookDistance): readonly OwnStep[] {
  const { ending, stability } = stateOf(entity, snapshot);
  if (ending !== undefined) return [];
  const steps: OwnStep[] = [];
  const add = (kind: OwnStep['kind'], at: number | undefined) => {
    if (at !== undefined && Number.isFinite(at)) steps.push({ kind, at });
  };
  add('timer', nextTimer(entity, snapshot)?.at);
  add('subscriptions', snapshot.rearm?.at);
  if (stability === 'unstable' && !snapshot.exhausted) add('automatic', snapshot.nextAttemptAt ?? snapshot.enteredAt);
  add('look', nextLookAt(entity, snapshot, distance));
  return steps;
}

/** What has waited longest of all that was due before whoever is the next to reserve the entity asked for it. S3.6 */
export function dueBeforeReserver(
  entity: AnyEntity,
  snapshot: Snapshot,
  distance: LookDistance,
): OwnStep['kind'] | undefined {
  const { reservation, reservers, postponed } = snapshot;
  const [first] = reservers;
  if (!first || reservation || postponed) return undefined;
  const before = ownSteps(entity, snapshot, distance).filter(({ at }) => at < first.askedAt);
  return before.sort((one, other) => one.at - other.at)[0]?.kind;
}
