/*
 * The steps that an entity has to take itself when their time comes. A new kind is a new entry in the table.
 */
import { displayEvent } from '../../definition/display-name.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { lookAfterDeployments, nextDeploymentLookAt } from '../deployments/look-after.js';
import type { LookDistance } from '../rules/look-distance.js';
import { findAction, stateOf, type Step } from '../rules/step.js';
import { lookAfterSuccessors, nextLookAt } from '../successors/look.js';
import { react } from '../triggers/subscription.js';
import { nextTimer, startTimer } from '../triggers/timers.js';
import { automaticAt, startAutomatic } from './automatic.js';
import { endDueAt, raiseEnd } from './raise-end.js';

interface OwnStepKind {
  /** When it is due, in milliseconds since 1970; `undefined` or Infinity: never. */
  at(entity: AnyEntity, snapshot: Snapshot, distance: LookDistance): number | undefined;
  /** Takes it. */
  take(entity: AnyEntity, snapshot: Snapshot, now: number): Step;
  /** Tells what the entity waits for until then, for people. S5.6 */
  summary(entity: AnyEntity, snapshot: Snapshot): string;
}

/** In the order in which they go when several are due. */
const OWN_STEPS = {
  /** The event of a deployment that has ended is raised. */
  ended: {
    at: (_, snapshot) => endDueAt(snapshot),
    take: raiseEnd,
    summary: (entity, snapshot) =>
      displayEvent(entity, stateOf(entity, snapshot).ended ?? 'the end of what was deployed'),
  },
  /** The event of a timer, a deadline or a time-out is raised. */
  timer: {
    at: (entity, snapshot) => nextTimer(entity, snapshot)?.at,
    take: startTimer,
    summary: (entity, snapshot) => {
      const { name, event } = nextTimer(entity, snapshot)!;
      return `${name}: ${displayEvent(entity, event)}`;
    },
  },
  /** Subscriptions whose event has failed count again. */
  subscriptions: {
    at: (_, snapshot) => snapshot.rearm?.at,
    take: react,
    summary: () => 'subscriptions that have failed count again',
  },
  automatic: {
    at: automaticAt,
    take: startAutomatic,
    summary: (entity, snapshot) => `${findAction(entity, snapshot.state)!.name}, attempt ${snapshot.attempt + 1}`,
  },
  /** Successors that say nothing are looked after. */
  look: { at: nextLookAt, take: lookAfterSuccessors, summary: () => 'look after successors' },
  /** The deployments of the state are looked after. */
  deployments: {
    at: (_, snapshot, distance) => nextDeploymentLookAt(snapshot, distance),
    take: (_, snapshot, now) => lookAfterDeployments(snapshot, now),
    summary: () => 'look after deployments',
  },
} as const satisfies Record<string, OwnStepKind>;

type OwnStepName = keyof typeof OWN_STEPS;

export interface OwnStep {
  readonly kind: OwnStepName;
  /** When it is due, in milliseconds since 1970. */
  readonly at: number;
}

/** At most one of each kind, in the order in which they go when several are due. */
export function ownSteps(entity: AnyEntity, snapshot: Snapshot, distance: LookDistance): readonly OwnStep[] {
  if (stateOf(entity, snapshot).ending !== undefined) return [];
  return (Object.keys(OWN_STEPS) as OwnStepName[]).flatMap((kind): readonly OwnStep[] => {
    const at = OWN_STEPS[kind].at(entity, snapshot, distance) ?? Infinity;
    return Number.isFinite(at) ? [{ kind, at }] : [];
  });
}

export function isOwnStep(kind: string): kind is OwnStepName {
  return Object.hasOwn(OWN_STEPS, kind);
}

export function takeOwnStep(entity: AnyEntity, snapshot: Snapshot, kind: OwnStepName, now: number): Step {
  return OWN_STEPS[kind].take(entity, snapshot, now);
}

export function summariseOwnStep(entity: AnyEntity, snapshot: Snapshot, kind: OwnStepName): string {
  return OWN_STEPS[kind].summary(entity, snapshot);
}

/** Of all that was due before the next reserver asked for the entity, the step that has been due for longest. S3.6 */
export function dueBeforeReserver(
  entity: AnyEntity,
  snapshot: Snapshot,
  distance: LookDistance,
): OwnStepName | undefined {
  const { reservation, reservers, postponed } = snapshot;
  const [first] = reservers;
  if (!first || reservation || postponed) return undefined;
  const before = ownSteps(entity, snapshot, distance).filter(({ at }) => at < first.askedAt);
  return before.sort((one, other) => one.at - other.at)[0]?.kind;
}
