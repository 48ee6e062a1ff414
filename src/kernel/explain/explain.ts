import { describeCondition } from '../../definition/condition.js';
import { describePredicate } from '../../definition/describe.js';
import { toMilliseconds } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import { isSubscribedIn } from '../../definition/subscribed.js';
import { calendarOf, type PeriodicTimer } from '../../definition/timer.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import { entityId } from '../../protocol/names.js';
import type { RunningAction, Snapshot } from '../../protocol/snapshot.js';
import type { StateDeployment } from '../../protocol/state-deployment.js';
import { callsUnderWay } from '../callbacks/call-steps.js';
import { counted } from '../rules/due-subscription.js';
import { unmetGuard } from '../rules/event-guard.js';
import { matches } from '../rules/matching.js';
import { isSealed, waitsBehind } from '../rules/reserved.js';
import { shownLimit } from '../rules/retry.js';
import { healthOf, isSettled } from '../rules/standing.js';
import { findAction, stateOf } from '../rules/step.js';
import { heldTimers, scheduledTimers } from '../triggers/timers.js';
import { unmetParts } from './unmet.js';
import type { ActionAwait, Attempt, CallUnderWay, Wait } from './wait.js';

/** Lists what an entity waits for, the most important first; once settled, only events that time will raise, and what went wrong. S5.4 */
export function explainEntity(entity: AnyEntity, snapshot: Snapshot): readonly Wait[] {
  return [
    ...actions(entity, snapshot),
    ...reservations(snapshot),
    ...(snapshot.deployments ?? []).map(deployment),
    ...subscriptions(entity, snapshot),
    ...answers(entity, snapshot),
    ...snapshot.waiting.map((request): Wait => {
      const { event, id, operation = id } = request;
      const behind = waitsBehind(snapshot, request);
      return { kind: 'event', event, operation, ...(behind !== undefined && { behind }) };
    }),
    ...scheduledTimers(entity, snapshot).map(({ name, event, at, periodic }): Wait => ({
      ...{ kind: 'timer', timer: name, event, at },
      ...(periodic && rhythmOf(periodic)),
    })),
    ...heldTimers(entity, snapshot).map(({ name, event, at, guard }): Wait => ({
      ...{ kind: 'timer', timer: name, event, at, guard: describeCondition(guard.is) },
    })),
    ...(snapshot.addresses ?? [])
      .filter(({ open }) => open)
      .map(({ event, madeAt: since, until }): Wait => ({ kind: 'callback', event, since, until })),
    ...snapshot.successors
      .filter(({ outcome }) => outcome?.lost)
      .map((successor): Wait => ({ kind: 'lost', successor: entityId(successor) })),
    ...failedSuccessors(entity, snapshot),
  ];
}

/** When a timer ticks again and again. */
function rhythmOf(timer: PeriodicTimer): Pick<Extract<Wait, { kind: 'timer' }>, 'period' | 'calendar'> {
  const calendar = calendarOf(timer);
  return calendar ? { calendar } : { period: toMilliseconds(timer.every!) };
}

/** Finds what has led a settled entity into an error state, where that was no failure of its own. */
function failedSuccessors(entity: AnyEntity, snapshot: Snapshot): readonly Wait[] {
  if (snapshot.failure || healthOf(entity, snapshot) !== 'error' || !isSettled(entity, snapshot)) return [];
  return snapshot.successors
    .filter(({ outcome }) => outcome?.health === 'error' && !outcome.lost)
    .map((successor): Wait => ({ kind: 'failed', successor: entityId(successor) }));
}

/** The action that runs, or runs next by itself. */
function actions(entity: AnyEntity, snapshot: Snapshot): readonly Wait[] {
  const { running, postponed, nextAttemptAt, exhausted, exhaustedBy, attempt } = snapshot;
  const waits: Wait[] = [];
  if (running) waits.push(runningAction(entity, snapshot, running));
  if (postponed) waits.push({ kind: 'postponed', action: postponed.running.action, at: postponed.at });
  const action = findAction(entity, snapshot.state, exhausted ? exhaustedBy : undefined)?.name;
  if (running || action === undefined) return waits;
  if (exhausted) {
    const since = snapshot.exhaustedAt ?? snapshot.enteredAt;
    waits.push({ kind: 'exhausted', action, since, ...attemptOf(entity, snapshot, attempt) });
  } else if (nextAttemptAt !== undefined) {
    waits.push({ kind: 'attempt', action, at: nextAttemptAt, ...attemptOf(entity, snapshot, attempt + 1) });
  }
  return waits;
}

function runningAction(entity: AnyEntity, snapshot: Snapshot, running: RunningAction): Wait {
  const { action, kind, startedAt, aborted, endsBy, awaits = [], calls } = running;
  const underWay = callsUnderWay(snapshot).map(({ call, startedAt: since }): CallUnderWay => ({ call, since }));
  const automatic = kind === 'automatic';
  return {
    ...{ kind: 'action', action, automatic, since: startedAt },
    ...(automatic ? attemptOf(entity, snapshot, snapshot.attempt) : { attempt: 1 }),
    ...(aborted && { aborted }),
    ...(endsBy !== undefined && { endsBy }),
    awaits: awaits.map((awaited): ActionAwait => {
      const { on, until, wait } = awaited;
      const since = snapshot.callbacks?.find(({ id }) => id === wait)?.askedAt;
      return {
        ...{ kind: awaited.kind, on, until },
        ...('event' in awaited && { event: awaited.event }),
        ...(since !== undefined && { since }),
      };
    }),
    ...(underWay.length > 0 && { calls: underWay }),
    ...(calls?.queued !== undefined && { queued: calls.queued }),
  };
}

function deployment({ id, name, phase, since, until, end }: StateDeployment): Wait {
  return {
    ...{ kind: 'deployment', deployment: name, id, phase, since },
    ...(until !== undefined && { until }),
    ...(end && { end }),
  };
}

function attemptOf(entity: AnyEntity, snapshot: Snapshot, attempt: number): Attempt {
  const { lastError } = snapshot;
  const attempts = shownLimit(snapshot, stateOf(entity, snapshot).retry);
  return {
    attempt,
    ...(attempts !== undefined && { attempts }),
    ...(lastError && { lastError: withoutStack(lastError) }),
  };
}

function withoutStack({ stack: _, ...error }: ErrorRecord): ErrorRecord {
  return error;
}

function reservations(snapshot: Snapshot): readonly Wait[] {
  const { reservation, reservers } = snapshot;
  const waits: Wait[] = reservers.map(({ from, operation, until }) => ({
    ...{ kind: 'reserver', by: entityId(from), operation, until },
  }));
  if (!reservation) return waits;
  const { owner, operation, hold, until } = reservation;
  const sealed = isSealed(snapshot);
  return [{ kind: 'reserved', by: entityId(owner), operation, hold, until, ...(sealed && { sealed }) }, ...waits];
}

/** The answers from outside that can lead out of the waiting state in which the entity rests, unless they have an address. */
function answers(entity: AnyEntity, snapshot: Snapshot): readonly Wait[] {
  const { state, enteredAt: since, running, addresses = [] } = snapshot;
  if (running || !stateOf(entity, snapshot).waiting) return [];
  return Object.entries(entity.events)
    .filter(([event, declared]) => declared.answer && asList(declared.in).includes(state) && !isAddressed(event))
    .map(([event]): Wait => {
      const guard = unmetGuard(entity, snapshot, event);
      return { kind: 'answer', event, since, ...(guard && { guard: describeCondition(guard.is) }) };
    });

  function isAddressed(event: string): boolean {
    return addresses.some((each) => each.open && each.event === event);
  }
}

/** The subscriptions that can lead out of the waiting state in which the entity rests. */
function subscriptions(entity: AnyEntity, snapshot: Snapshot): readonly Wait[] {
  if (snapshot.running || !stateOf(entity, snapshot).waiting) return [];
  return Object.entries(entity.subscriptions)
    .filter(([, each]) => isSubscribedIn(entity, each, snapshot.state))
    .map(([name, { raise, when, among }]): Wait => {
      const successors = counted(snapshot, among);
      // A match that no longer holds is forgotten at the next look.
      const used = snapshot.used.includes(name) && matches(when, successors);
      const again = used ? snapshot.rearm?.at : undefined;
      const guard = unmetGuard(entity, snapshot, raise);
      return {
        ...{ kind: 'subscription', subscription: name, event: raise, pattern: describePredicate(when) },
        unmet: unmetParts(when, successors),
        used,
        ...(again !== undefined && { again }),
        ...(guard && { guard: describeCondition(guard.is) }),
      };
    });
}
