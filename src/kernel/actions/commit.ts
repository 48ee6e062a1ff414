/*
 * How an action ends.
 *
 * commit.1. State, properties, links, subordinates, successors and raised events take effect together, or not at all. S3.2
 * commit.2. Going to an undeclared target, or breaking a schema or the constraint of the target, is a failed action. S1.6, S3.1
 * commit.3. A failed action re-enters its state; an automatic one is tried again until its attempts are used up. S3.2, S3.5
 * commit.4. An action that would let the snapshot outgrow its budget is a failed action. Q1
 * commit.5. An action that makes a chain too long comes to nothing, and its attempts are used up. chain.3
 * commit.6. An action that changes a fixed property is a failed action. S1.2
 */
import { Defect } from '../../definition/action-errors.js';
import { toMilliseconds } from '../../definition/duration.js';
import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { ErrorRecord } from '../../protocol/error-record.js';
import { toErrorRecord } from '../../protocol/errors.js';
import { entityId } from '../../protocol/names.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { goesRound } from '../rules/chain.js';
import { checkContents, constraintIssues, type Contents, changedFixed } from '../rules/contents.js';
import type { Description } from '../../definition/component-description.js';
import { tellAgain } from '../deployments/ended.js';
import { keptReservations } from '../reservations/holding.js';
import { openOperations } from '../engagements/open.js';
import type { ActionEnd } from '../engagements/records.js';
import { forgetPastSuccessors } from '../engagements/past-successors.js';
import { raiseOn, type RaiseIntent } from '../successors/raise.js';
import { retryDelay } from '../rules/retry.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import { eventTooLarge } from '../rules/event-size.js';
import { raisesTooMany } from '../rules/raised-size.js';
import { outgrows } from '../rules/snapshot-size.js';
import { andThen, stateOf, type Step } from '../rules/step.js';
import {
  anotherAttempt,
  enter,
  exhaust,
  nextRound,
  pause,
  reportError,
  reportOnly,
  restsWell,
  type FailedEnd,
} from './transition.js';

/** All that an action has done when it ends without throwing. */
export interface ActionResult extends Contents {
  /** The state to which it goes. Without one, the state is entered again. */
  readonly to?: string;
  /** The time before the next execution of the automatic action, in milliseconds. */
  readonly waitMs?: number;
  /** Tells whether the automatic action stays in its state for new work. */
  readonly nextRound?: boolean;
  /** The time before the next attempt, when the entity stays in its state; in milliseconds. */
  readonly retryAfterMs?: number;
  readonly error?: ErrorRecord;
  readonly raises: readonly RaiseIntent[];
  /** All that is deployed by the state to which it goes. */
  readonly deploys?: Description | undefined;
}

/** Ends a running action that has returned: all that it has done takes effect, unless it breaks a rule. */
export function commit(entity: AnyEntity, snapshot: Snapshot, result: ActionResult, now: number): Step {
  const round = goesRound(snapshot);
  if (round) return exhaust(entity, { ...snapshot, wentRoundAt: now }, round, now);
  const running = snapshot.running!;
  const to = result.to ?? snapshot.state;
  const { to: targets, wait } = entity.actions[running.action] ?? {};
  if (result.to !== undefined && !asList(targets).includes(result.to)) {
    const declared = asList(targets).join(', ') || 'nowhere';
    const message = `The action '${running.action}' of ${entity.name} went to '${result.to}', but declares only: ${declared}.`;
    return refuse('undeclared_target', message);
  }
  const fixed = changedFixed(entity, snapshot, result);
  if (fixed.length > 0) {
    const named = fixed.map((name) => `properties.${name}`).join(', ');
    const message = `The action '${running.action}' of ${entity.name} changed fixed properties: ${named}. Do not change them, or remove them from 'fixed' in the declaration.`;
    return refuse('fixed_property_changed', message);
  }
  const tooLargeRaise = result.raises.flatMap(({ to: on, request }) => eventTooLarge(on, request) ?? [])[0];
  if (tooLargeRaise) return refuse(tooLargeRaise.code, tooLargeRaise.message);
  const tooMany = raisesTooMany(snapshot, result.raises);
  if (tooMany) {
    const message = `The action '${running.action}' raised ${tooMany}. Raise fewer at a time, and go on when these have been accepted.`;
    return refuse('too_many_raised', message);
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
  const raised =
    result.raises.length > 0
      ? andThen(openOperations(entity, changed), (opened) => raiseOn(opened, result.raises))
      : { snapshot: changed, effects: [] };
  // Successors that are forgotten when the entity settles do not count for its size.
  const tooLarge = outgrows(snapshot, forgetPastSuccessors(entity, raised.snapshot));
  if (tooLarge) {
    const message = `The action '${running.action}' would leave ${entityId(snapshot)} with ${tooLarge}. Keep large data in a resource, and its address in the properties.`;
    return fail(entity, snapshot, toErrorRecord(new Defect('snapshot_too_large', message)), now);
  }
  return andThen(raised, (after) => {
    const noted = result.error ? reportError(after, result.error, now) : after;
    const again = running.kind === 'automatic' && to === noted.state;
    // A declared wait is for going to a target. It does not hold for staying without one.
    const declaredMs = wait === undefined || result.to === undefined ? undefined : toMilliseconds(wait);
    const end: ActionEnd = {
      ...(result.error ? { outcome: 'error', error: result.error } : { outcome: 'success' }),
      held: snapshot,
    };
    if (again) {
      const delayMs = result.waitMs ?? result.retryAfterMs ?? declaredMs;
      return (result.nextRound ? nextRound : anotherAttempt)(entity, noted, end, now, delayMs);
    }
    const { rearm: _, ...succeeded } = noted;
    const { deploys } = result;
    return enter(entity, succeeded, to, end, now, { waitMs: result.waitMs ?? declaredMs, deploys });
  });

  function refuse(code: string, message: string): Step {
    return fail(entity, snapshot, toErrorRecord(new Defect(code, message)), now, false, result.retryAfterMs);
  }
}

/** Ends a running action that has thrown: nothing of it takes effect, and the state is entered again. */
export function fail(
  entity: AnyEntity,
  snapshot: Snapshot,
  error: ErrorRecord,
  now: number,
  final = false,
  retryAfterMs?: number,
): Step {
  const running = snapshot.running!;
  const round = goesRound(snapshot);
  if (round) return exhaust(entity, { ...snapshot, wentRoundAt: now }, round, now);
  if (running.kind === 'automatic') {
    return final
      ? exhaust(entity, snapshot, error, now)
      : anotherAttempt(entity, snapshot, { outcome: 'failed', error }, now, retryAfterMs);
  }
  // An action that gives up where the entity rests well has answered its caller: nothing is left to be mended.
  const answered = error.kind === 'needs_operator' && restsWell(stateOf(entity, snapshot));
  const noted = answered ? reportOnly(snapshot, error) : reportError(snapshot, error, now);
  return reenter(entity, noted, { outcome: 'failed', error }, now);
}

/** Ends a running action that was aborted: nothing of it takes effect, and the event that aborted it goes first. S3.2 */
export function abort(entity: AnyEntity, snapshot: Snapshot, now: number): Step {
  const running = snapshot.running!;
  const message = `'${running.action}' was aborted by an event that does not wait for it.`;
  const end = { outcome: 'aborted', error: { kind: 'retryable', code: 'aborted', message } } as const;
  if (running.kind === 'automatic') return pause(entity, snapshot, end, now, 0);
  const engagements = snapshot.engagements.map((engagement, index) =>
    index === snapshot.engagements.length - 1 ? { ...engagement, canceled: true } : engagement,
  );
  return reenter(entity, { ...snapshot, engagements }, end, now);
}

/** Enters the state again when the action of an event came to nothing. */
function reenter(entity: AnyEntity, snapshot: Snapshot, end: FailedEnd, now: number): Step {
  const { error: lastError } = end;
  const { subscription, deployment } = snapshot.running!;
  if (subscription === undefined && deployment === undefined) {
    return enter(entity, snapshot, snapshot.state, end, now, { lastError });
  }
  const again = deployment === undefined ? snapshot : tellAgain(snapshot);
  // The match stays used up until the delay is over: without it, entering the state would start the action again at once.
  const failures = (snapshot.rearm?.failures ?? 0) + 1;
  const rearm = { at: now + retryDelay(undefined, failures), failures };
  const { used } = snapshot;
  return enter(entity, { ...again, rearm }, snapshot.state, end, now, { lastError, used });
}
