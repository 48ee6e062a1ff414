import type { WatchedEntity } from '../../api/shapes.js';

type Standing = Pick<
  WatchedEntity,
  'settled' | 'stale' | 'stuck' | 'running' | 'waiting' | 'exhausted' | 'attempt' | 'attempts' | 'next_attempt_time'
>;

/** Tells how an entity stands, in a sentence. Without its worker (`stale`), nothing shows what it waits for. */
export function standingOf({
  settled,
  stale,
  stuck,
  running,
  waiting,
  exhausted,
  attempt,
  attempts,
  next_attempt_time: next,
}: Standing): string {
  if (exhausted) return 'It has used up its attempts.';
  if (running)
    return `It runs ${running.action}${(attempt ?? 0) > 1 ? `, attempt ${attempt}${attempts === null ? '' : ` of ${attempts}`}` : ''}.`;
  if (next !== null)
    return `It tries again soon, attempt ${(attempt ?? 0) + 1}${attempts === null ? '' : ` of ${attempts}`}.`;
  if (waiting.length > 0) return `${waiting.length} events wait for their turn.`;
  if (stuck) return 'It makes no progress.';
  if (settled) return 'It rests.';
  return stale ? 'It has not settled.' : 'It waits for others.';
}

/** Tells what it waits for, in the few words for which there is room in its state. */
export function here({
  settled,
  stale,
  stuck,
  running,
  exhausted,
  attempt,
  attempts,
  next_attempt_time: next,
}: Standing): string {
  if (exhausted) return 'attempts used up';
  const count = `${attempt ?? 1}${attempts === null ? '' : ` of ${attempts}`}`;
  if (running) return (attempt ?? 0) > 1 ? `attempt ${count} runs` : 'works here';
  if (next !== null) return `attempt ${count} failed`;
  if (stuck) return 'makes no progress';
  return settled || stale ? 'it is here' : 'waits for others';
}
