/*
 * How an action ends.
 *
 * C1. State, properties, links, subordinates, successors and raised events take effect together, or not at all. S3.2
 * C2. Going to an undeclared target, or breaking a schema or the constraint of the target, is a failed action. S1.6, S3.1
 * C3. A failed action re-enters its state; an automatic one is tried again until its attempts are used up. S3.2, S3.5
 * C4. The version grows by one with each transition, re-entries included. S3.7
 * C5. An action that would let the snapshot outgrow its budget is a failed action. Q1
 */
import { toMilliseconds } from '../definition/duration.js';
import type { AnyEntity } from '../definition/entity.js';
import { asList } from '../definition/names.js';
import type { ErrorRecord } from '../protocol/messages.js';
import { Defect, toErrorRecord } from '../protocol/errors.js';
import { entityId } from '../protocol/names.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { checkContents, constraintIssues, describeIssues, type Contents } from './contents.js';
import { keptReservations } from './holding.js';
import { openOperations } from './open.js';
import { raiseOn, type RaiseIntent } from './raise.js';
import { retryDelay } from './retry.js';
import { settle } from './settle.js';
import { outgrows } from './snapshot-size.js';
import { isAtRest, stateOf, andThen, type Step } from './step.js';
import { react } from './subscription.js';
import { ticksAfter } from './timers.js';

/** What an action has done when it ends without throwing. */
export interface ActionResult extends Contents {
  /** Where it goes; without it, the state is entered again. */
  readonly to?: string;
  /** Before the next execution of the automatic action, in milliseconds. */
  readonly waitMs?: number;
  /** Before the next attempt, when it stays; in milliseconds. */
  readonly retryAfterMs?: number;
  readonly error?: ErrorRecord;
  readonly raises: readonly RaiseIntent[];
}

/** The running action has ended well: all that it has done takes effect, unless it breaks a rule. */
export function commit(entity: AnyEntity, snapshot: Snapshot, result: ActionResult, now: number): Step {
  const running = snapshot.running!;
  const to = result.to ?? snapshot.state;
  const { to: targets, wait } = entity.actions[running.action] ?? {};
  if (result.to !== undefined && !asList(targets).includes(result.to)) {
    const declared = asList(targets).join(', ') || 'nowhere';
    const message = `The action '${running.action}' of ${entity.name} went to '${result.to}', and declares to go to: ${declared}.`;
    return refuse('undeclared_target', message);
  }
  const checked = checkContents(entity, result);
  if (!checked.valid) {
    const broken = describeIssues(checked.issues);
    const message = `The action '${running.action}' of ${entity.name} left contents that break their schema: ${broken}.`;
    return refuse('constraint_violated', message);
  }
  const broken = constraintIssues(entity, to, checked.contents);
  if (broken.length > 0) {
    const message = `The action '${running.action}' of ${entity.name} went to ${to}, and broke its constraint: ${describeIssues(broken)}.`;
    return refuse('constraint_violated', message);
  }

  const changed: Snapshot = { ...snapshot, ...checked.contents, holds: keptReservations(snapshot) };
  const raised = andThen(result.raises.length > 0 ? openOperations(changed) : keep(changed), (opened) =>
    raiseOn(opened, result.raises),
  );
  const tooLarge = outgrows(snapshot, raised.snapshot);
  if (tooLarge) {
    const message = `The action '${running.action}' would leave ${entityId(snapshot)} with ${tooLarge}. Keep large data in a resource, and its address in the properties.`;
    return fail(entity, snapshot, toErrorRecord(new Defect('snapshot_too_large', message)), now);
  }
  return andThen(raised, (after) => {
    const noted = result.error ? reportError(after, result.error) : after;
    const again = running.kind === 'automatic' && to === noted.state;
    // A wait is declared for going to a target, not for staying without one.
    const declaredMs = wait === undefined || result.to === undefined ? undefined : toMilliseconds(wait);
    if (again) {
      const delayMs = result.waitMs ?? result.retryAfterMs ?? declaredMs;
      return anotherAttempt(entity, noted, result.error, now, delayMs);
    }
    const { rearm: _, ...succeeded } = noted;
    return enter(entity, succeeded, to, now, { waitMs: result.waitMs ?? declaredMs });
  });

  function refuse(code: string, message: string): Step {
    return fail(entity, snapshot, toErrorRecord(new Defect(code, message)), now, false, result.retryAfterMs);
  }
}

/** The running action has thrown: nothing of it takes effect, and the state is entered again. */
export function fail(
  entity: AnyEntity,
  snapshot: Snapshot,
  error: ErrorRecord,
  now: number,
  final = false,
  retryAfterMs?: number,
): Step {
  const running = snapshot.running!;
  if (running.kind === 'automatic') {
    return final ? exhaust(entity, snapshot, error, now) : anotherAttempt(entity, snapshot, error, now, retryAfterMs);
  }
  return reenter(entity, { ...reportError(snapshot, error), lastError: error }, error, now);
}

/** The running action was aborted: nothing of it takes effect, and the event that aborted it goes first. S3.2 */
export function abort(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const running = snapshot.running!;
  const error = { code: 'aborted', message: `'${running.action}' was aborted by an event that does not wait for it.` };
  if (running.kind === 'automatic') {
    const { running: _, ...rest } = snapshot;
    const waiting = { ...rest, version: snapshot.version + 1, nextAttemptAt: now, lastError: error };
    return andThen(openOperations(waiting), (opened) => react(entity, opened, now));
  }
  const engagements = snapshot.engagements.map((engagement, index) =>
    index === snapshot.engagements.length - 1 ? { ...engagement, canceled: true } : engagement,
  );
  return reenter(entity, { ...snapshot, engagements, lastError: error }, error, now);
}

/** The action of an event came to nothing: its state is entered again. */
function reenter(entity: AnyEntity, snapshot: Snapshot, error: ErrorRecord, now: number): Step {
  if (snapshot.running!.subscription === undefined) {
    return enter(entity, snapshot, snapshot.state, now, { lastError: error });
  }
  // The match stays used up until the delay is over: without it, entering the state would start the action again at once.
  const failures = (snapshot.rearm?.failures ?? 0) + 1;
  const rearm = { at: now + retryDelay(undefined, failures), failures };
  const { used, enteredAt } = snapshot;
  return enter(entity, { ...snapshot, rearm }, snapshot.state, now, { lastError: error, used, enteredAt });
}

/** A transition into a state: its attempts start anew, and so do the matches of its subscriptions. */
function enter(
  entity: AnyEntity,
  snapshot: Snapshot,
  to: string,
  now: number,
  entry: {
    readonly waitMs?: number | undefined;
    readonly lastError?: ErrorRecord;
    readonly used?: readonly string[];
    /** The time from which deadlines run. */
    readonly enteredAt?: number;
  } = {},
): Step {
  const declared = entity.states[to]!;
  const { running, nextAttemptAt: _next, lastError: _error, rejectedRaises: _rejected, ...rest } = snapshot;
  const { waitMs, lastError, used = [] } = entry;
  // A tick by which nothing moves does not put off the deadline.
  const stays = to === snapshot.state && running?.timer !== undefined;
  const wait = waitMs ?? (declared.wait === undefined ? 0 : toMilliseconds(declared.wait));
  const entered: Snapshot = {
    ...rest,
    state: to,
    version: snapshot.version + 1,
    entry: snapshot.entry + 1,
    enteredAt: entry.enteredAt ?? (stays ? snapshot.enteredAt : now),
    ticks: ticksAfter(entity, snapshot, to, now),
    attempt: 0,
    exhausted: false,
    used,
    ...(to === snapshot.state && running?.replaces && { successors: takenOver(snapshot, running.replaces) }),
    ...(declared.stability === 'unstable' && { nextAttemptAt: now + wait }),
    ...(lastError && { lastError }),
  };
  return settleOrGoOn(entity, entered, now);
}

/** An event that has ended other operations, and stays in their state, waits there for their successors. S4.8 */
function takenOver({ successors, operation }: Snapshot, replaces: readonly string[]): Snapshot['successors'] {
  return successors.map((each) =>
    operation && replaces.includes(each.operation) ? { ...each, operation: operation.id } : each,
  );
}

/** The automatic action has failed or has chosen to stay: it is tried again, unless its attempts are used up. */
function anotherAttempt(
  entity: AnyEntity,
  snapshot: Snapshot,
  error: ErrorRecord | undefined,
  now: number,
  waitMs?: number,
): Step {
  const { retry } = stateOf(entity, snapshot);
  if (retry?.attempts !== undefined && snapshot.attempt >= retry.attempts) {
    const reason = error ?? {
      code: 'attempts_exhausted',
      message: `${snapshot.attempt} executions of '${snapshot.running!.action}' did not leave ${snapshot.state}.`,
    };
    return exhaust(entity, snapshot, reason, now);
  }
  const { running: _, ...rest } = snapshot;
  const waiting: Snapshot = {
    ...rest,
    version: snapshot.version + 1,
    nextAttemptAt: now + (waitMs ?? retryDelay(retry, snapshot.attempt)),
    ...(error && { lastError: error }),
  };
  return andThen(openOperations(waiting), (opened) => react(entity, opened, now));
}

/** No attempt is left: the declared state is entered, or the entity rests until an operator acts. */
function exhaust(entity: AnyEntity, snapshot: Snapshot, error: ErrorRecord, now: number): Step {
  const noted = reportError(snapshot, error);
  const target = stateOf(entity, snapshot).retry?.exhausted;
  const broken = target === undefined ? [] : constraintIssues(entity, target, snapshot);
  if (target !== undefined && broken.length === 0) return enter(entity, noted, target, now);
  const last =
    broken.length === 0
      ? error
      : {
          code: 'constraint_violated',
          message: `The attempts are used up (${error.code}: ${error.message}), and ${target} cannot be entered, since it would break its constraint: ${describeIssues(broken)}.`,
        };
  const { running: _running, nextAttemptAt: _next, ...rest } = broken.length === 0 ? noted : reportError(noted, last);
  const stuck = { ...rest, version: snapshot.version + 1, exhausted: true, lastError: last };
  return settleOrGoOn(entity, stuck, now);
}

/** An error that no retry made good is told to the operation when the engagement ends. */
function reportError(snapshot: Snapshot, error: ErrorRecord): Snapshot {
  const { stack: _, ...reported } = error;
  const engagements = snapshot.engagements.map((engagement, index) =>
    index === snapshot.engagements.length - 1 ? { ...engagement, error: reported } : engagement,
  );
  return { ...snapshot, engagements };
}

/** After an entity has come into a state: its engagements end where it rests, and its subscriptions are looked at. */
export function settleOrGoOn(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const pauses = (snapshot.nextAttemptAt ?? 0) > now;
  const settled = isAtRest(entity, snapshot)
    ? settle(entity, snapshot)
    : pauses
      ? openOperations(snapshot)
      : keep(snapshot);
  return andThen(settled, (after) => react(entity, after, now));
}

function keep(snapshot: Snapshot): Step {
  return { snapshot, effects: [] };
}
