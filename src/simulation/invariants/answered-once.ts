import type { CallbackCall } from '../../protocol/callback.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Invariant } from '../fact.js';
import { LONGEST_LAG_MS } from '../fault.js';

/** A1, A2, C2, C3: an answer from outside counts once and in time, and no address outlives the question. */
export function answeredOnce(): Invariant {
  return {
    name: 'an answer from outside counts once',
    hear(fact, { now }) {
      switch (fact.kind) {
        case 'changed': {
          const before = new Map((fact.before?.callbacks ?? []).map((each) => [each.id, each]));
          for (const each of fact.after.callbacks ?? []) {
            const problem = wrongChange(before.get(each.id), each, now) ?? outlived(fact.after, each);
            if (problem !== undefined) return `${fact.by.id}: ${each.call}, round ${each.round}, ${problem}`;
          }
          return unanswerable(fact.after);
        }
        case 'called': {
          // The same round is asked again only by what Temporal repeats: with another attempt of the same call.
          const round = (fact.snapshot.callbacks ?? []).find(
            ({ idempotencyKey }) => idempotencyKey === fact.execution.idempotencyKey,
          );
          if (!round || fact.execution.attempt > 1) return undefined;
          if (round.answer) return `${fact.by.id} asks ${round.call} again, which has been answered`;
          return round.end ? `${fact.by.id} asks ${round.call} in a round that is over` : undefined;
        }
        default:
          return undefined;
      }
    },
  };
}

function wrongChange(before: CallbackCall | undefined, after: CallbackCall, now: number): string | undefined {
  if (JSON.stringify(before?.answer) === JSON.stringify(after.answer)) return undefined;
  if (before?.answer) return 'is answered a second time';
  if (before?.end) return `is answered after it ${before.end}`;
  return after.until + LONGEST_LAG_MS < now ? 'is answered after its time' : undefined;
}

/** A question belongs to an entry into a state, and its key says to which. */
function outlived({ life, entry }: Snapshot, { idempotencyKey }: CallbackCall): string | undefined {
  const named = /#([^/]+)\/(\d+)(?:\.\d+)?\//.exec(idempotencyKey);
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
