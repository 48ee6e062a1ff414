import type { CallbackCall } from '../../protocol/callback.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { ANSWER_EVENT, EXTEND_EVENT, REVOKE_EVENT } from '../../protocol/names.js';
import type { Fact, Invariant } from '../fact.js';
import { LONGEST_LAG_MS } from '../fault.js';

/** A1, A2: an answer from outside counts once and in time, and no address outlives the question. */
export function answeredOnce(): Invariant {
  return {
    name: 'an answer from outside counts once',
    hear(fact, all) {
      const { now } = all;
      switch (fact.kind) {
        case 'changed': {
          const before = new Map((fact.before?.callbacks ?? []).map((each) => [each.id, each]));
          for (const each of fact.after.callbacks ?? []) {
            const problem =
              wrongChange(before.get(each.id), each, now) ??
              needless(fact.before, each, now) ??
              outlived(fact.after, each);
            if (problem !== undefined) return `${fact.by.id}: ${each.call}, round ${each.round}, ${problem}`;
          }
          return unanswerable(fact.after) ?? forgotten(fact);
        }
        case 'called': {
          // The same round is asked again only by what Temporal repeats: with another attempt of the same call.
          const round = (fact.snapshot.callbacks ?? []).find(
            ({ idempotencyKey }) => idempotencyKey === fact.execution.idempotencyKey,
          );
          if (!round || fact.execution.attempt > 1 || fact.execution.cancelled) return undefined;
          if (round.answer) return `${fact.by.id} asks ${round.call} again, which has been answered`;
          return round.end ? `${fact.by.id} asks ${round.call} in a round that is over` : undefined;
        }
        case 'answered': {
          const { request, answer, life } = fact;
          if (answer.status !== 'accepted') return undefined;
          const entity = all.entities().find(({ subject }) => subject.life === life);
          if (request.event === EXTEND_EVENT || request.event === REVOKE_EVENT)
            return disregarded(entity?.snapshot, request.params as Overseen);
          if (request.event !== ANSWER_EVENT) return undefined;
          const round = entity?.snapshot.callbacks?.find(({ id }) => id === request.id);
          return round && !round.answer ? `${round.call} was answered, and its entity knows nothing of it` : undefined;
        }
        default:
          return undefined;
      }
    },
  };
}

/** A request by an operator about an answer that is awaited. */
interface Overseen {
  readonly callback: string;
  readonly until?: number;
}

/** Checks that what an operator was told to be done is done. */
function disregarded(snapshot: Snapshot | undefined, { callback, until }: Overseen): string | undefined {
  const round = snapshot?.callbacks?.find(({ id }) => id === callback);
  if (!round || round.answer || round.end) return undefined;
  if (until === undefined) return `${round.call} was given up, and can still be answered`;
  return round.until < until ? `the time of ${round.call} was put off, and its entity knows nothing of it` : undefined;
}

function wrongChange(before: CallbackCall | undefined, after: CallbackCall, now: number): string | undefined {
  if (!before?.end && after.end === 'timed out' && now < after.until) return 'is over before its time';
  if (JSON.stringify(before?.answer) === JSON.stringify(after.answer)) return undefined;
  if (before?.answer) return 'is answered a second time';
  if (before?.end) return `is answered after it ${before.end}`;
  return after.until + LONGEST_LAG_MS < now ? 'is answered after its time' : undefined;
}

/** A later attempt is served by what an earlier one has asked. */
function forgotten({ by, before, after }: Extract<Fact, { kind: 'changed' }>): string | undefined {
  if (before?.running?.kind !== 'automatic' || before.entry !== after.entry || before.life !== after.life)
    return undefined;
  const lost = before.callbacks?.find(
    ({ idempotencyKey }) => !after.callbacks?.some((each) => each.idempotencyKey === idempotencyKey),
  );
  return lost && `${by.id} has forgotten what it has asked of ${lost.call}, between two attempts`;
}

/** A new round is asked only where the one before is over, or was about something else. */
function needless(before: Snapshot | undefined, { id, idempotencyKey, fingerprint }: CallbackCall, now: number) {
  const last = before?.callbacks?.find((each) => each.idempotencyKey === idempotencyKey);
  if (!last || last.id === id || last.fingerprint !== fingerprint || last.end) return undefined;
  const failed = last.answer !== undefined && 'error' in last.answer;
  if (failed || (!last.answer && last.until <= now)) return undefined;
  return `is asked anew, though round ${last.round} ${last.answer ? 'has been answered' : 'can be answered'}`;
}

/** A question belongs to an entry into a state, and its key says to which. */
function outlived({ life, entry }: Snapshot, { idempotencyKey }: CallbackCall): string | undefined {
  const named = /#([^/#]+)\/(\d+)(?:\.\d+)?\//.exec(idempotencyKey);
  return named?.[1] === life && Number(named[2]) === entry ? undefined : 'outlives the entry into its state';
}

/** An action waits for a round that can be answered. */
function unanswerable({ running, callbacks = [], type, key }: Snapshot): string | undefined {
  for (const awaited of running?.awaits ?? []) {
    if (awaited.kind !== 'answer') continue;
    const round = callbacks.find(({ id }) => id === awaited.wait);
    if (!round || round.end) return `${type}/${key} waits for an answer to ${awaited.on}, which nobody can give`;
  }
  return undefined;
}
