import { useReading } from '../api/reading.js';
import type { Attention, EntitySummary, Concern } from '../api/shapes.js';
import { useWatch } from '../live/live.js';
import { readsEntities } from '../session/session.js';

/** What fails on Temporal's side alone does not change the counts, so it is asked for now and then. */
const EVERY_MS = 10_000;

/** How many there are of what, whenever that changes. */
export function useSummary(): EntitySummary | undefined {
  // What is told of the summary is the summary.
  return useWatch(readsEntities.value ? 'summary' : undefined).value?.data as EntitySummary | undefined;
}

/** What concerns a person, read again whenever the counts change. */
export function useAttention() {
  const summary = useSummary();
  return useReading<Attention>(readsEntities.value ? '/api/attention' : undefined, summary?.at, EVERY_MS);
}

/** Needs with one cause: what mends one may mend all. */
export interface ConcernGroup {
  readonly title: string;
  readonly message: string;
  readonly whatToDo: string;
  readonly reason: string;
  readonly concerns: readonly Concern[];
}

const REASONS: Readonly<Record<string, string>> = {
  exhausted: 'all attempts are used up',
  dead_end: 'waits for something that cannot happen',
  deadlock: 'deadlock',
  task_fails: 'its code fails',
  no_worker: 'no worker serves it',
  call_repeats: 'its calls lose their workers',
  call_paused: 'its call is paused',
  no_store: 'waits for the store',
  hung: 'exceeds its time budget',
  stuck: 'makes no progress',
};

/** The concerns by their cause, that with the oldest one first. */
export function groupsOf(concerns: readonly Concern[]): readonly ConcernGroup[] {
  const groups = new Map<string, Concern[]>();
  for (const concern of concerns) {
    const key = JSON.stringify([
      concern.reason,
      whatOf(concern),
      concern.state,
      concern.error?.code,
      namesLeftOut(concern),
    ]);
    groups.set(key, [...(groups.get(key) ?? []), concern]);
  }
  return [...groups.values()].map((members): ConcernGroup => {
    const [first] = members as [Concern, ...Concern[]];
    const reason = REASONS[first.reason] ?? first.reason;
    return {
      title: `${members.length} × ${whatOf(first)}${first.state === null ? '' : ` in ${first.state}`}: ${reason}`,
      message: first.error ? `${first.error.message} (${first.error.code})` : first.message,
      whatToDo: first.what_to_do,
      reason: first.reason,
      concerns: members,
    };
  });
}

/** The type of an entity; of an operation what it does, whatever the key. */
function whatOf({ name }: Concern): string {
  return name.split('/')[0] ?? name;
}

/** What it says, without the keys in it. */
function namesLeftOut({ message, name }: Concern): string {
  return message.replaceAll(name, '').replace(/\b[A-Z]\w+\/\S+/g, '');
}
