import type { EndedJobs, JobLedger, JobName, JobRecord, OpenedJob } from './job-ledger.js';

/** A ledger that lives as long as its process: for tests, and for jobs that leave nothing where they run. */
export class MemoryLedger implements JobLedger {
  readonly #records = new Map<string, JobRecord>();

  async open(job: OpenedJob): Promise<JobRecord | 'fenced'> {
    const before = this.#records.get(keyOf(job));
    if (before && before.number > job.number) return 'fenced';
    const attempts = (before?.attempts ?? 0) + (before && before.state !== 'running' ? 0 : 1);
    const record: JobRecord = before
      ? { ...before, number: job.number, attempts }
      : { ...job, state: 'running', attempts };
    this.#records.set(keyOf(job), record);
    return record;
  }

  async write(job: JobName & { readonly number: number }, change: Partial<JobRecord>): Promise<boolean> {
    const before = this.#records.get(keyOf(job));
    if (before?.number !== job.number) return false;
    this.#records.set(keyOf(job), { ...before, ...change });
    return true;
  }

  async records(): Promise<readonly JobRecord[]> {
    return [...this.#records.values()];
  }

  async removeEnded({ instance, partitions, number }: EndedJobs): Promise<void> {
    for (const partition of partitions)
      if (this.#records.get(keyOf({ instance, partition }))?.state !== 'running')
        await this.remove({ instance, partition, number });
  }

  async remove(job: JobName & { readonly number: number }): Promise<void> {
    const before = this.#records.get(keyOf(job));
    if (before && before.number <= job.number) this.#records.delete(keyOf(job));
  }
}

function keyOf({ instance, partition }: JobName): string {
  return `${instance}#${partition}`;
}
