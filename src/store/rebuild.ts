import type { StoreRecord } from '../protocol/records.js';
import type { ReplayedRun } from '../temporal/replay-records.js';
import type { ToldLife } from '../temporal/told-life.js';
import type { Gap } from './gaps.js';
import type { Store } from './store.js';
import type { Reached } from './writing/lives.js';

/** The result of a rebuild. */
export interface Rebuilt {
  readonly runs: number;
  readonly records: number;
  /** Histories that do not replay with the present code. The records up to the place of the problem are kept. */
  readonly unreadable: readonly { readonly workflowId: string; readonly runId: string; readonly problem: string }[];
  /** Transitions that are neither in the store nor in any history. */
  readonly gaps: readonly Gap[];
}

/** How far an entity has come, where that is certain. */
function lifeTold({ life, until, from, unborn }: ToldLife, records: readonly StoreRecord[]): Reached | undefined {
  const last = records
    .flatMap((each) => (each.kind === 'entity' && each.entity.life === life ? [each.version] : []))
    .at(-1);
  const version = last ?? from?.snapshot.version ?? (unborn ? 0 : undefined);
  return version === undefined ? undefined : { life, version, at: until };
}

/**
 * Makes the rows again from the workflows. It deletes nothing that it could not make again, but what was only offered and is in no
 * history that tells all of its life: that never happened. S5.2
 * @throws StoreAway
 */
export async function rebuild(
  store: Store,
  runs: AsyncIterable<ReplayedRun>,
  report: (done: { readonly runs: number; readonly records: number }) => void = () => undefined,
): Promise<Rebuilt> {
  const unreadable: Rebuilt['unreadable'][number][] = [];
  let count = 0;
  let records = 0;
  for await (const run of runs) {
    count++;
    records += run.records.length;
    const told = run.told && lifeTold(run.told, run.records);
    if (told) await store.writer.keepLife(told, run.records);
    else if (run.records.length > 0) await store.writer.keep(run.records);
    if (run.problem !== undefined) {
      unreadable.push({ workflowId: run.workflowId, runId: run.runId, problem: run.problem });
    }
    report({ runs: count, records });
  }
  return { runs: count, records, unreadable, gaps: await store.gaps() };
}
