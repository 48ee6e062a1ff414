import { membersOf, type Instance, type JobsTold } from '../../../src/distributed/index.js';
import { rowsOfJobs } from '../../../src/protocol/job-rows.js';
import type { JobsRecord } from '../../../src/protocol/jobs-record.js';

/** One job, as the store has heard of it. */
interface ToldOf {
  versions: number;
  end: string | undefined;
}

/** Looks at what the store is told of jobs: each attempt once, in order, and each end once, as the instance has it. S5.1 */
export class ToldJobs {
  /** By the life of the job: that of its instance, the partition, and how often jobs were opened again. */
  readonly #jobs = new Map<string, ToldOf>();
  /** All that was told, in its order. */
  readonly records: JobsRecord[] = [];
  readonly #broken: (invariant: string, problem: string) => Error;

  constructor(violation: (invariant: string, problem: string) => Error) {
    this.#broken = violation;
  }

  take(name: string, before: Instance, after: Instance, told: JobsTold | undefined): void {
    if (told) this.#hear(name, before, after, told);
    if (after.phase !== 'ended' || before.phase === 'ended') return;
    const ends = this.#endsOf(name);
    for (const [end, partitions] of [['succeeded', after.succeeded] as const, ['failed', after.failed] as const])
      for (const partition of membersOf(partitions))
        if (ends.get(partition) !== end)
          throw this.#broken(
            'S5.1',
            `${name}: the job of ${partition} has ${end}, and was told as ${ends.get(partition)}`,
          );
    for (const [partition, end] of ends)
      if (end === undefined) throw this.#broken('S5.1', `${name}: the job of ${partition} was told, and never its end`);
  }

  #hear(name: string, before: Instance, after: Instance, { id, place, jobs, cancelled }: JobsTold): void {
    const { target, type, instance } = before.start;
    const of = { kind: 'jobs', life: name, operation: name, target, type, instance, round: before.rounds } as const;
    const record: JobsRecord = { ...of, id, place, from: before.startedAt, at: after.now, jobs, cancelled };
    this.records.push(record);
    const rows = rowsOfJobs(record);
    for (const row of rows) {
      const { life } = row.entity;
      const known = this.#jobs.get(life) ?? { versions: 0, end: undefined };
      this.#jobs.set(life, known);
      if (row.kind === 'event') {
        if (known.end !== undefined) throw this.#broken('S5.1', `${life} is told again after it has ended`);
        known.end = row.endState;
      } else {
        // A record may tell better what has become of the last attempt.
        if (row.version !== known.versions && row.version !== known.versions + 1)
          throw this.#broken('S5.1', `the attempt ${row.version} of ${life} is told after ${known.versions}`);
        if (row.at < row.startedAt) throw this.#broken('S5.1', `an attempt of ${life} ends before it begins`);
        known.versions = row.version;
      }
    }
  }

  /** Of each partition, the end in the last round. */
  #endsOf(name: string): ReadonlyMap<number, string | undefined> {
    const ends = new Map<number, string | undefined>();
    for (const [life, { end }] of this.#jobs) {
      if (!life.startsWith(`${name}/`)) continue;
      ends.set(Number(life.slice(name.length + 1).split('/')[0]), end);
    }
    return ends;
  }
}
