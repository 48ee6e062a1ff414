/** The settings with which a process that is killed is started. */
export interface ComponentProcess {
  readonly address: string;
  /** Where the world is, in which the calls do something. */
  readonly world: string;
  /** Of a host: its name, which is that of its task queue. */
  readonly host?: string;
  /** Of a worker that runs trees: the path of the bundle, and the store. */
  readonly bundle?: string;
  readonly databaseUrl?: string;
}
