import { MemoryLedger, type JobLedger } from '../../../src/distributed/index.js';

/** All that a job has left or made at a place. It outlives the executor, as its records do. */
export interface Trace {
  readonly done: number;
  readonly made: boolean;
}

/** The records of a place, at which a judge can look at once. */
class Disk extends MemoryLedger {
  readonly #complete = new Set<string>();
  readonly #progress = new Map<string, unknown>();
  readonly #numbers = new Map<string, number>();

  /** The progress of a job that was recorded here. */
  progressOf(instance: string, partition: number): unknown {
    return this.#progress.get(`${instance}#${partition}`);
  }

  isComplete(instance: string, partition: number): boolean {
    return this.#complete.has(`${instance}#${partition}`);
  }

  /** The number of the lane that has begun a job here last. */
  numberOf(instance: string, partition: number): number {
    return this.#numbers.get(`${instance}#${partition}`) ?? 0;
  }

  override async open(job: Parameters<MemoryLedger['open']>[0]): ReturnType<MemoryLedger['open']> {
    const opened = await super.open(job);
    if (opened !== 'fenced') this.#numbers.set(`${job.instance}#${job.partition}`, job.number);
    return opened;
  }

  override async write(...[job, change]: Parameters<MemoryLedger['write']>): Promise<boolean> {
    const written = await super.write(job, change);
    const key = `${job.instance}#${job.partition}`;
    if (written && change.state === 'complete') this.#complete.add(key);
    if (written && change.state === 'running') this.#complete.delete(key);
    if (written && 'progress' in change) this.#progress.set(key, change.progress);
    return written;
  }

  override async remove(job: Parameters<MemoryLedger['remove']>[0]): Promise<void> {
    await super.remove(job);
    this.#complete.delete(`${job.instance}#${job.partition}`);
    this.#progress.delete(`${job.instance}#${job.partition}`);
  }
}

/** One start of the executor of a place. */
export interface Executor {
  alive: boolean;
}

/** A place: its disk, and whoever executes jobs there. */
export class Place {
  readonly name: string;
  readonly disk = new Disk();
  /** The traces that jobs have left, by instance and partition. */
  readonly left = new Map<string, Trace>();
  executor: Executor | undefined;
  /** The functions that wait for an executor. */
  readonly queue: ((executor: Executor) => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  /** The records, each access to which takes a while, in which the executor can die. */
  ledger(turn: () => Promise<void>): JobLedger {
    const { disk } = this;
    return {
      open: async (job) => (await turn(), disk.open(job)),
      write: async (job, change) => (await turn(), disk.write(job, change)),
      records: async () => (await turn(), disk.records()),
      removeEnded: async (jobs) => (await turn(), disk.removeEnded(jobs)),
      remove: async (job) => (await turn(), disk.remove(job)),
    };
  }
}
