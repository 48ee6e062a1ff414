/** Names one job of one instance. */
export interface JobName {
  /** The name of the instance. */
  readonly instance: string;
  readonly partition: number;
}

/** Describes what an executor has recorded of a job, where it runs. I2 */
export interface JobRecord extends JobName {
  readonly target: string;
  readonly type: string;
  readonly argument: unknown;
  /** The number of the lane that holds the job. */
  readonly number: number;
  /** The number of the assignment under which it was begun. */
  readonly assignment: number;
  /** Shows how often the job was begun here under its assignment, also where nobody could tell any more what has come of it. S5.1 */
  readonly attempts: number;
  readonly state: 'running' | 'complete' | 'failed';
  /** Shows what it has completed or failed with. */
  readonly result?: unknown;
  readonly progress?: unknown;
}

/** A job that somebody takes over. */
export type OpenedJob = Omit<JobRecord, 'attempts' | 'state' | 'result' | 'progress'>;
/** Describes a change to the record of a job. */
export type JobChange = Partial<Pick<JobRecord, 'assignment' | 'attempts' | 'state' | 'result' | 'progress'>>;

/** Jobs of one instance, by their partitions. */
export interface EndedJobs {
  readonly instance: string;
  readonly partitions: readonly number[];
  readonly number: number;
}

/**
 * The records of the jobs of one place, which outlive the executor. Numbers fence: who comes with a lower one than the record has
 * changes nothing. I2
 */
export interface JobLedger {
  /**
   * Takes a job over with this number, with what was recorded of it so far, also under an older assignment; `fenced` when somebody has
   * it with a higher number. Unless it has ended, this counts as an attempt.
   */
  open(job: OpenedJob): Promise<JobRecord | 'fenced'>;
  /** Changes the record of a job; false when it has another number by now, or is gone. */
  write(job: JobName & { readonly number: number }, change: JobChange): Promise<boolean>;
  records(): Promise<readonly JobRecord[]>;
  /** Takes the records of these jobs away that have ended, unless they have a higher number. */
  removeEnded(jobs: EndedJobs): Promise<void>;
  /** Takes a record away, unless it has a higher number. */
  remove(job: JobName & { readonly number: number }): Promise<void>;
}
