import { describeCalendar } from '../../definition/calendar/calendar-words.js';
import { asDeclared } from '../../definition/duration.js';
import { colours as pc } from '../colours.js';
import type { ExplainedEntity } from '../../client/explain/explanation.js';
import type { ActionAwait, Attempt, Wait } from '../../kernel/index.js';
import { subscriptionLines } from './subscription-words.js';
import { ahead, inWords, lasting } from './time-words.js';

/** An action that has run for less time may just have begun, in milliseconds. */
const NOTABLE_MS = 2_000;

/** That an action goes on, and nothing is under way that could lead it on. */
export function unknownWaitLines({ waits, calls, task }: ExplainedEntity, now: number): readonly string[] {
  const waitsForNothing = (wait: Wait) =>
    wait.kind === 'action' &&
    wait.awaits.length === 0 &&
    wait.calls === undefined &&
    wait.queued === undefined &&
    now - wait.since > NOTABLE_MS;
  if (calls.length > 0 || task || !waits.some(waitsForNothing)) return [];
  return [pc.yellow('its code waits for something outside of Reeve: no call, entity or callback is pending')];
}

/** One thing that an entity waits for, in lines. */
export function waitLines(wait: Wait, now: number): readonly string[] {
  switch (wait.kind) {
    case 'action': {
      const { action, automatic, since, aborted, endsBy, awaits, calls = [], queued } = wait;
      const which = automatic ? `, ${attemptWords(wait)}` : '';
      return [
        `runs ${action} ${lasting(since, now)}${which}${aborted ? ', and is being aborted' : ''}`,
        ...(endsBy === undefined ? [] : [`  until its calls have ended, ${inWords(endsBy - now)} at most`]),
        ...lastErrorLines(wait),
        ...calls.map((each) => `  calls ${each.call} ${lasting(each.since, now)}`),
        ...awaits.map((each) => `  ${awaitWords(each, now)}, ${inWords(each.until - now)} at most`),
        ...(queued === undefined ? [] : [`  ${queued} more calls wait for their turn`]),
      ];
    }
    case 'attempt': {
      const { action, at, attempt } = wait;
      const first = attempt === 1 ? `${action} runs` : `next try of ${action}`;
      return [`${first} ${ahead(at, now)} (${attemptWords(wait)})`, ...lastErrorLines(wait)];
    }
    case 'exhausted': {
      const why =
        wait.lastError?.code === 'infinite_loop' ? ', which is in an infinite loop' : ` after ${attemptWords(wait)}`;
      return [pc.red(`has given up ${wait.action}${why}`), ...lastErrorLines(wait)];
    }
    case 'postponed':
      return [`runs ${wait.action} again ${ahead(wait.at, now)}, after a deadlock`];
    case 'reserved': {
      const span = wait.hold === 'action' ? 'while its action runs' : 'for the operation';
      const end = wait.sealed ? 'sealed, until its events have come' : `the lease ends ${ahead(wait.until, now)}`;
      return [`reserved by ${wait.by} ${span} (operation ${wait.operation}); ${end}`];
    }
    case 'reserver':
      return [`${wait.by} waits to reserve it (operation ${wait.operation})`];
    case 'event':
      return [
        `${wait.event} waits ${wait.behind ? `behind ${wait.behind}` : 'for its turn'} (operation ${wait.operation})`,
      ];
    case 'deployment':
      return deploymentLines(wait, now);
    case 'subscription':
      return subscriptionLines(wait, now);
    case 'timer': {
      if (wait.guard !== undefined) {
        return [pc.yellow(`raises ${wait.event} when ${wait.guard} (${wait.timer}, ${ahead(wait.at, now)})`)];
      }
      const rhythm = wait.calendar
        ? `, ${describeCalendar(wait.calendar)}`
        : wait.period === undefined
          ? ''
          : `, each ${asDeclared(wait.period)}`;
      return [pc.dim(`raises ${wait.event} ${ahead(wait.at, now)} (${wait.timer}${rhythm})`)];
    }
    case 'answer': {
      const line = `waits for the answer ${wait.event} from outside, ${lasting(wait.since, now)}`;
      return [wait.guard === undefined ? line : pc.yellow(`${line}; it is allowed only if ${wait.guard}`)];
    }
    case 'callback':
      return [
        `waits on callback: ${wait.event} comes from outside, asked ${inWords(now - wait.since)} ago, ${inWords(wait.until - now)} at most`,
      ];
    case 'lost':
      return [pc.red(`${wait.successor} is lost: it ended without a report, so nothing waits for it`)];
    case 'failed':
      return [pc.red(`${wait.successor} has failed`)];
  }
}

function deploymentLines(wait: Extract<Wait, { kind: 'deployment' }>, now: number): readonly string[] {
  const { deployment, id, phase, since, until, end } = wait;
  const where = pc.dim(id);
  switch (phase) {
    case 'waiting':
      return [`deploys ${deployment} when the one before it has ended ${where}`];
    case 'starting':
      return [`deploys ${deployment} ${lasting(since, now)} ${where}`];
    case 'up':
      return [`has deployed ${deployment}: up ${lasting(since, now)} ${where}`];
    case 'ended':
      return [
        end?.undeployed
          ? pc.red(`${deployment} failed to deploy ${inWords(now - since)} ago: ${end.description}`) + ` ${where}`
          : `${deployment} has ended ${inWords(now - since)} ago: ${end?.type}, ${end?.description} ${where}`,
      ];
    case 'ending':
      return [
        `waits for the end of ${deployment} ${lasting(since, now)}, ${inWords((until ?? now) - now)} at most ${where}`,
      ];
    case 'left':
      return [pc.yellow(`${deployment} has not ended in time, and nothing waits for it any more`) + ` ${where}`];
  }
}

/** Tells whether something has gone wrong on the way. */
export function hasFailed(wait: Wait): boolean {
  return 'lastError' in wait && wait.lastError !== undefined;
}

/** Why an entity is in an error state, where what it waits for does not say this already. */
export function failureLines(
  { failure, enteredIn, causes = [], waits }: ExplainedEntity,
  now: number,
): readonly string[] {
  if (enteredIn !== undefined) {
    return [
      ...causes.map(({ entity, code, message }) => pc.yellow(`because of ${entity}: ${code}: ${message}`)),
      pc.dim(`'reeve operations show ${enteredIn}' shows how it came there`),
    ];
  }
  if (!failure || waits.some(hasFailed)) return [];
  const { code, message, at, operation } = failure;
  return [pc.yellow(`failed ${inWords(now - at)} ago: ${code}: ${message}`) + pc.dim(` (operation ${operation})`)];
}

function attemptWords({ attempt, attempts }: Attempt): string {
  return attempts === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${attempts}`;
}

function lastErrorLines({ lastError }: Attempt): readonly string[] {
  return lastError ? [`  ${pc.yellow(`last error ${lastError.code}: ${lastError.message}`)}`] : [];
}

function awaitWords({ kind, on, event, since }: ActionAwait, now: number): string {
  if (kind === 'event') return `waits until ${event} has settled on ${on}`;
  if (kind === 'answer') {
    const lasts = since === undefined ? '' : `, asked ${inWords(now - since)} ago`;
    return `waits on callback: the answer to ${on} comes from outside${lasts}`;
  }
  if (kind === 'seal') return `waits until ${on} promises to admit ${event}`;
  return kind === 'view' ? `waits for how ${on} is` : `waits to reserve ${on}`;
}
