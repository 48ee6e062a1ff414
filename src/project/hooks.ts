import type { Logger } from 'pino';
import type { ReeveClient } from '../client/client.js';
import type { DistributedOperationLogic, JobLedger } from '../distributed/index.js';
import type { KeptProcess } from '../stack/kept-process.js';
import type { ImplementedResource } from '../temporal/resources.js';
import type { EntityWorkerOptions } from '../temporal/worker.js';

/** Describes what a project's own code in a worker or an executor is given. */
export interface ProcessContext {
  /** The data directory, absolute. */
  readonly dataDirectory: string;
  /** The project's entities. */
  readonly reeve: ReeveClient;
  readonly log: Logger;
}

/** Describes what a project brings to a worker, besides the resources that its package.json names. */
export interface WorkerParts extends Partial<
  Pick<
    EntityWorkerOptions,
    'distributed' | 'serves' | 'affinity' | 'atOnce' | 'perSecond' | 'maxCached' | 'shutdownGraceMs'
  >
> {
  readonly resources?: readonly ImplementedResource[];
  /** Is called when the worker has ended. */
  close?(): Promise<void>;
}

/** The default export of the module that package.json names as `worker`. */
export type OpenWorker = (context: ProcessContext) => WorkerParts | Promise<WorkerParts>;

/** Describes where an executor does its jobs, and how. */
export interface ExecutorParts {
  /** The names of the places that there are. */
  readonly places: readonly string[];
  readonly operations: readonly DistributedOperationLogic[];
  /** The records of the jobs of a place. They are asked for once, and closed by `close`. */
  ledger(place: string): JobLedger;
  /** Shows how many jobs each place does at once. */
  readonly atOnce?: number;
  /** Is called when the executor has ended. */
  close?(): Promise<void>;
}

/** The default export of the module that package.json names as `executor`. */
export type OpenExecutor = (context: ProcessContext) => ExecutorParts | Promise<ExecutorParts>;

/** Describes what a project's own code in `reeve up` is given. */
export interface UpContext {
  /** The data directory, absolute. */
  readonly dataDirectory: string;
  /** Tells a line to the person at the terminal. */
  report(line: string): void;
  /**
   * Starts a script of Node, and keeps it running until everything stops. Its output is in `log/<name>.log` of the data directory.
   * @param script an absolute path
   */
  keep(name: string, script: string, env?: NodeJS.ProcessEnv, ending?: Ending): Promise<KeptProcess>;
}

/** Describes how a process ends that `reeve up` keeps. */
export interface Ending {
  /** How long it may take to end, before it is ended by force, in milliseconds. Default 10 s. */
  readonly withinMs?: number;
  /** Is called when it has ended, also by force: it ends what the process has left behind. */
  after?(): Promise<void>;
}

/** The default export of the module that package.json names as `up`. It is awaited before the workers start. */
export type StartMore = (context: UpContext) => void | Promise<void>;
