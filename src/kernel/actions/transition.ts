/*
 * How an entity goes from one state to the next, or to the same.
 *
 * transition.1. The version grows by one with each transition, re-entries included, and each is recorded. S3.7
 * transition.2. Entering a state starts its attempts and the matches of its subscriptions anew, also when it is the same state.
 *     Events that stay, and what time raises in vain, are the exceptions (staying.ts). S3.5, S4.3
 * transition.3. When all attempts are used up, the declared state is entered, or the entity rests until an operator acts. S3.5
 * transition.4. A next round stays in the state: deadlines, matches and addresses go on. Only its attempts and the names of what it
 *     does begin anew. S3.4
 */
import type { AnyEntity } from '../../definition/entity.js';
import { retryFor } from '../../definition/retry-rules.js';
import type { State } from '../../definition/state.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Description } from '../../definition/component-description.js';
import { redeploy } from '../deployments/change.js';
import { isRound, mayGoOn, pacedBy } from '../rules/chain.js';
import { underWay } from '../rules/deploying.js';
import { keptAddresses, openedAddresses } from '../callbacks/address.js';
import { callbacksOfOthers } from '../callbacks/callback.js';
import { changedContents } from '../rules/changed-contents.js';
import { constraintIssues, type Contents } from '../rules/contents.js';
import { keptNames, outdated, withNewNames } from '../ledger/stable-names.js';
import { waitOf } from '../rules/property-times.js';
import { openOperations } from '../engagements/open.js';
import { recordTransition, type ActionEnd } from '../engagements/records.js';
import { attemptsOf, countError, nextDelay, retryDelay } from '../rules/retry.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import { settle } from '../engagements/settle.js';
import { isAtRest, stateOf, andThen, type Step } from '../rules/step.js';
import { calendarAfter, calendarAfterStay } from '../triggers/calendar.js';
import { clocksAfterStay, entryTimes, nextAttempt, stays } from '../triggers/staying.js';
import { react } from '../triggers/subscription.js';
import { ticksAfter, ticksAfterStay } from '../triggers/timers.js';

/** After an action has gone round, the automatic action of the state that is entered then waits for so long: otherwise it would go round too. */
const PAUSE_AFTER_ROUND_MS = 60_000;

/** The end of an action that came to nothing. */
export type FailedEnd = ActionEnd & { readonly error: ErrorRecord };

/** A transition into a state: its attempts start anew, and so do the matches of its subscriptions. transition.2 */
export function enter(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: string,
  end: ActionEnd,
  now: number,
  entry: {
    readonly waitMs?: number | undefined;
    readonly lastError?: ErrorRecord;
    readonly used?: readonly string[];
    readonly deploys?: Description | undefined;
  } = {},
): Step {
  const declared = entity.states[to]!;
  const {
    running,
    nextAttemptAt: _next,
    lastError: _error,
    failure,
    rejectedRaises: _rejected,
    exhaustedAt: _at,
    exhaustedBy: _by,
    callbacks: _callbacks,
    addresses: _addresses,
    clocks: _clocks,
    calendar: _calendar,
    asked: _asked,
    failedBy: _failedBy,
    ...rest
  } = snapshot;
  const { waitMs, lastError, used = [], deploys } = entry;
  if (to === snapshot.state && stays(entity, snapshot, end)) return stay(entity, snapshot, end, now, lastError);
  const dueAt = now + (waitMs ?? waitOf(snapshot, declared.wait));
  const nextAttemptAt = to === snapshot.state ? nextAttempt(snapshot, end, dueAt) : dueAt;
  const entered: Snapshot = {
    ...rest,
    state: to,
    version: snapshot.version + 1,
    entry: snapshot.entry + 1,
    ...entryTimes(entity, snapshot, to, end, now),
    ticks: ticksAfter(entity, snapshot, to, now, end.held),
    ...calendarAfter(entity, snapshot, to, now, end.held),
    attempt: 0,
    exhausted: false,
    used,
    ...(to === snapshot.state && running?.replaces && { successors: takenOver(snapshot, running.replaces) }),
    ...openedAddresses(snapshot, takesEffect(end)),
    ...(declared.stability === 'unstable' && { nextAttemptAt }),
    ...(lastError && { lastError }),
    ...(failure && (end.error || !restsWell(declared)) && { failure }),
  };
  const deployed = redeploy(entity, snapshot, entered, deploys, now);
  const recorded = andThen(deployed, (after) => recordTransition(entity, snapshot, after, end, now));
  return andThen(recorded, (after) => settleOrGoOn(entity, after, now));
}

/** Tells whether nothing is left of a failure where an entity rests in the state. */
export function restsWell({ stability, health }: State): boolean {
  return stability === 'stable' && health === 'normal';
}

/** Keeps what runs from the entry into the state, when the event has led nowhere else and does not enter it anew. */
function stay(
  entity: AnyEntity,
  snapshot: Snapshot,
  end: ActionEnd,
  now: number,
  lastError: ErrorRecord | undefined,
): Step {
  const { running, callbacks: _, addresses: _addresses, asked, calendar: _calendar, ...rest } = snapshot;
  const changes = end.held !== undefined && changedContents(end.held, snapshot).length > 0;
  const after: Snapshot = {
    ...rest,
    ...(asked && { asked: changes ? outdated(asked) : asked }),
    ...callbacksOfOthers(snapshot, running?.action ?? ''),
    ...keptAddresses(snapshot, takesEffect(end)),
    ...clocksAfterStay(entity, snapshot, now),
    ...ticksAfterStay(entity, snapshot, now, end.held),
    ...calendarAfterStay(entity, snapshot, now, end.held),
    version: snapshot.version + 1,
    ...(running?.replaces && { successors: takenOver(snapshot, running.replaces) }),
    ...(lastError && { lastError }),
  };
  return andThen(recordTransition(entity, snapshot, after, end, now), (recorded) =>
    settleOrGoOn(entity, recorded, now),
  );
}

/** Tells whether what the action has done takes effect. */
function takesEffect({ outcome }: ActionEnd): boolean {
  return outcome === 'success' || outcome === 'error';
}

/** The successors, where an event has ended other operations: those of these operations count for its own now. S4.8 */
function takenOver({ successors, operation }: Snapshot, replaces: readonly string[]): Snapshot['successors'] {
  return successors.map((each) =>
    operation && replaces.includes(each.operation) ? { ...each, operation: operation.id } : each,
  );
}

/** Tries the automatic action again after it has failed or has chosen to stay, unless its attempts are used up. */
export function anotherAttempt(
  entity: AnyEntity,
  snapshot: Snapshot,
  end: ActionEnd,
  now: number,
  waitMs?: number,
): Step {
  const { retry } = stateOf(entity, snapshot);
  const code = end.error?.code;
  const counted = { ...snapshot, ...countError(snapshot, retry, code) };
  const { rule, forDelay, forLimit } = attemptsOf(counted, retry, code);
  if (rule.attempts !== undefined && forLimit >= rule.attempts) {
    const reason = end.error ?? {
      kind: 'needs_operator',
      code: 'attempts_exhausted',
      message: `'${snapshot.running!.action}' has run ${snapshot.attempt} times, and the entity is still in ${snapshot.state}.`,
    };
    return exhaust(entity, counted, reason, now, end.held);
  }
  return pause(entity, counted, end, now, nextDelay(waitMs ?? retryDelay(rule, forDelay), end.error));
}

/** Lets the automatic action begin with new work in the same state, after `waitMs`. transition.4 */
export function nextRound(entity: AnyEntity, snapshot: Snapshot, end: ActionEnd, now: number, waitMs?: number): Step {
  const { lastError: _error, failedBy: _failedBy, addresses = [], ...rest } = snapshot;
  const inTime = { ...snapshot, addresses: addresses.filter(({ until }) => until > now) };
  const round = { ...withNewNames(rest), ...keptAddresses(inTime, true), attempt: 0 };
  return runAgain(entity, snapshot, round, end, now, waitMs ?? retryDelay(stateOf(entity, snapshot).retry, 1));
}

/** Lets the automatic action run again after `waitMs`. */
export function pause(entity: AnyEntity, snapshot: Snapshot, end: ActionEnd, now: number, waitMs: number): Step {
  return runAgain(entity, snapshot, { ...snapshot, ...keptNames(snapshot) }, end, now, waitMs);
}

function runAgain(
  entity: AnyEntity,
  snapshot: Snapshot,
  { running: _, ...rest }: Snapshot,
  end: ActionEnd,
  now: number,
  waitMs: number,
): Step {
  const { error } = end;
  const waiting: Snapshot = {
    ...rest,
    ...ticksAfterStay(entity, snapshot, now, end.held),
    ...calendarAfterStay(entity, snapshot, now, end.held),
    version: snapshot.version + 1,
    nextAttemptAt: now + waitMs,
    ...(error && { lastError: error }),
  };
  const recorded = recordTransition(entity, snapshot, pacedBy(waiting, now), end, now);
  return andThen(
    andThen(recorded, (each) => openOperations(entity, each)),
    (opened) => react(entity, opened, now),
  );
}

/** Enters the declared state when no attempt is left, or lets the entity rest until an operator acts. transition.3 */
export function exhaust(
  entity: AnyEntity,
  snapshot: Snapshot,
  error: ErrorRecord,
  now: number,
  held: Contents = snapshot,
): Step {
  const noted = reportError(snapshot, error, now);
  const declared = retryFor(stateOf(entity, snapshot).retry, error.code).exhausted;
  const target = mayGoOn(snapshot) ? declared : undefined;
  const broken = target === undefined ? [] : constraintIssues(entity, target, snapshot);
  if (target !== undefined && broken.length === 0) {
    const again = isRound(error) && { waitMs: PAUSE_AFTER_ROUND_MS };
    return enter(entity, noted, target, { outcome: 'exhausted', error, held }, now, { ...again });
  }
  const last: ErrorRecord =
    broken.length === 0
      ? error
      : {
          kind: 'defect',
          code: 'constraint_violated',
          message: `The attempts are used up (${error.code}: ${error.message}), but the entity cannot enter ${target}, because it would violate the constraint of that state: ${describeIssues(broken)}.`,
        };
  const {
    running,
    nextAttemptAt: _next,
    exhaustedBy: _by,
    ...rest
  } = broken.length === 0 ? noted : reportError(noted, last, now);
  const event = running?.kind === 'event' ? entity.actions[running.action]?.on : undefined;
  const stuck: Snapshot = {
    ...rest,
    // A deadline that is past would raise its event again at once. staying.3
    ...clocksAfterStay(entity, snapshot, now),
    ...ticksAfterStay(entity, snapshot, now, held),
    ...calendarAfterStay(entity, snapshot, now, held),
    ...keptNames(snapshot),
    version: snapshot.version + 1,
    exhausted: true,
    exhaustedAt: now,
    ...(event !== undefined && { exhaustedBy: event }),
    lastError: last,
  };
  const recorded = recordTransition(entity, snapshot, stuck, { outcome: 'exhausted', error: last, held }, now);
  return andThen(recorded, (after) => settleOrGoOn(entity, after, now));
}

/** Notes an error that no later attempt made good: the operation hears of it, and the entity shows it as its last failure. */
export function reportError(snapshot: Snapshot, error: ErrorRecord, now: number): Snapshot {
  const operation = snapshot.engagements.at(-1)?.operation ?? snapshot.operation?.id;
  const noted = reportOnly(snapshot, error);
  return operation === undefined ? noted : { ...noted, failure: { ...withoutStack(error), at: now, operation } };
}

/** Notes an error for the operation alone, which hears of it when the engagement ends. */
export function reportOnly(snapshot: Snapshot, error: ErrorRecord): Snapshot {
  const engagements = snapshot.engagements.map((engagement, index) =>
    index === snapshot.engagements.length - 1 ? { ...engagement, error: withoutStack(error) } : engagement,
  );
  return { ...snapshot, engagements };
}

function withoutStack({ stack: _, ...reported }: ErrorRecord): ErrorRecord {
  return reported;
}

/** Follows each entry into a state: ends the engagements where the entity rests, and looks at its subscriptions. */
export function settleOrGoOn(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const pauses = (snapshot.nextAttemptAt ?? 0) > now;
  const settled = isAtRest(entity, snapshot)
    ? settle(entity, snapshot, now)
    : pauses || underWay(snapshot)
      ? openOperations(entity, snapshot)
      : keep(snapshot);
  return andThen(settled, (after) => react(entity, pacedBy(after, now), now));
}

function keep(snapshot: Snapshot): Step {
  return { snapshot, effects: [] };
}
