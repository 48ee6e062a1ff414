/** The settings with which a process that is killed is started. */
export interface ProcessSettings {
  readonly address: string;
  /** The database with the field. */
  readonly fieldUrl: string;
  /** Of a worker: the path of the bundle, and how many workflows stay in memory. */
  readonly bundle?: string;
  readonly maxCached?: number;
  /** Of a worker: the store. */
  readonly storeUrl?: string;
  /** Of an executor: its place, and the database with its records. */
  readonly place?: string;
  readonly ledgerUrl?: string;
}
