/*
 * All that an executor undoes. I2, I5
 *
 * clean-up.1. A record goes only after what its job has left was cleaned up, so that a clean-up that was cut short is done again.
 *     First it gets the number of the clean-up, so that nobody who still runs the job goes on. Nobody runs a job that has ended: the
 *     records of these go together.
 * clean-up.2. An executor that starts, and looks from time to time, cleans up the jobs whose operation is gone, has ended, or does not
 *     want them of it any more.
 */
import type { DistributedOperationLogic, OperationLogic } from '../declaration/implementation.js';
import type { CleanWork, TidyWork } from '../instance/effect.js';
import { nameOf } from '../instance/under-way.js';
import type { RecordVerdict } from '../instance/verdict.js';
import { has } from '../partitions/partition-set.js';
import type { JobLedger, JobRecord } from './job-ledger.js';

/** Cleans up jobs that were taken away from a place. */
export async function cleanJobs(logic: DistributedOperationLogic, ledger: JobLedger, work: CleanWork): Promise<void> {
  const { partitions } = work;
  const records = await recordsOf(ledger, work);
  for (const record of records.filter(({ partition }) => has(partitions, partition)))
    await cleanJob(logic, ledger, work.place, { ...record, number: work.number, state: 'running' });
}

/** Cleans up what is unfinished of an instance at a place, or does not count, and forgets all of it. */
export async function tidyPlace(logic: DistributedOperationLogic, ledger: JobLedger, work: TidyWork): Promise<void> {
  const records = await recordsOf(ledger, work);
  const hasEnded = ({ state, partition }: JobRecord) =>
    state === 'failed' || (state === 'complete' && has(work.finished, partition));
  for (const record of records.filter((each) => !hasEnded(each)))
    await cleanJob(logic, ledger, work.place, { ...record, number: work.number, state: 'running' });
  const partitions = records.filter(hasEnded).map(({ partition }) => partition);
  if (partitions.length > 0) await ledger.removeEnded({ instance: nameOf(work), partitions, number: work.number });
}

/** clean-up.2: gives how many were cleaned up. */
export async function lookAtRecords(
  logics: ReadonlyMap<string, DistributedOperationLogic>,
  ledger: JobLedger,
  place: string,
  judge: (record: JobRecord) => Promise<RecordVerdict>,
): Promise<number> {
  let cleaned = 0;
  for (const record of await ledger.records()) {
    const logic = logics.get(record.type);
    const verdict = logic ? await judge(record) : 'keep';
    if (!logic || verdict === 'keep') continue;
    await cleanJob(logic, ledger, place, verdict === 'clean up' ? { ...record, state: 'running' } : record);
    cleaned++;
  }
  return cleaned;
}

async function recordsOf(ledger: JobLedger, work: Parameters<typeof nameOf>[0]): Promise<readonly JobRecord[]> {
  const name = nameOf(work);
  return (await ledger.records()).filter(({ instance }) => instance === name);
}

/** clean-up.1 */
async function cleanJob(
  { logic }: DistributedOperationLogic,
  ledger: JobLedger,
  place: string,
  { state, attempts: _, result: __, progress: ___, ...job }: JobRecord,
): Promise<void> {
  const { target, partition, argument, instance, number } = job;
  if ((await ledger.open(job)) === 'fenced') return;
  // A failed job was cleaned up before its status was set, and what a finished one has made is its completion's.
  if (state === 'running')
    await (logic as OperationLogic<unknown>).cleanUp({ target, partition, place }, argument, instance);
  await ledger.remove({ instance, partition, number });
}
