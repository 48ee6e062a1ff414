import { useReading } from '../api/reading.js';
import type { Attention, EntitySummary, Need } from '../api/shapes.js';
import { useWatch } from '../live/live.js';
import { me } from '../session/session.js';

/** What fails on Temporal's side alone does not change the counts, so it is asked for now and then. */
const EVERY_MS = 10_000;

/** How many there are of what, whenever that changes. */
export function useSummary(): EntitySummary | undefined {
  // What is told of the summary is the summary.
  return useWatch(me.value && 'summary').value?.data as EntitySummary | undefined;
}

/** What needs a person, read again whenever the counts change. */
export function useAttention() {
  const summary = useSummary();
  return useReading<Attention>(me.value && '/api/attention', summary?.at, EVERY_MS);
}

/** Needs with one cause: what mends one may mend all. */
export interface NeedGroup {
  readonly title: string;
  readonly message: string;
  readonly whatToDo: string;
  readonly reason: string;
  readonly needs: readonly Need[];
}

const REASONS: Readonly<Record<string, string>> = {
  exhausted: 'all attempts are used up',
  dead_end: 'waits for what will not come',
  circle: 'waits in a circle',
  task_fails: 'its code fails',
  no_worker: 'no worker serves it',
  call_repeats: 'its calls lose their workers',
  call_paused: 'its call is paused',
  no_store: 'waits for the store',
  hung: 'takes longer than it may',
  stuck: 'does not get on',
};

/** The needs by their cause, that with the oldest one first. */
export function groupsOf(needs: readonly Need[]): readonly NeedGroup[] {
  const groups = new Map<string, Need[]>();
  for (const need of needs) {
    const key = JSON.stringify([need.reason, whatOf(need), need.state, need.error?.code, namesLeftOut(need)]);
    groups.set(key, [...(groups.get(key) ?? []), need]);
  }
  return [...groups.values()].map((members): NeedGroup => {
    const [first] = members as [Need, ...Need[]];
    const reason = REASONS[first.reason] ?? first.reason;
    return {
      title: `${members.length} × ${whatOf(first)}${first.state === null ? '' : ` in ${first.state}`}: ${reason}`,
      message: first.error ? `${first.error.message} (${first.error.code})` : first.message,
      whatToDo: first.what_to_do,
      reason: first.reason,
      needs: members,
    };
  });
}

/** The type of an entity; of an operation what it does, whatever the key. */
function whatOf({ name }: Need): string {
  return name.split('/')[0] ?? name;
}

/** What it says, without the keys in it. */
function namesLeftOut({ message, name }: Need): string {
  return message.replaceAll(name, '').replace(/\b[A-Z]\w+\/\S+/g, '');
}
