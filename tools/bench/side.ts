import type { Client } from '@temporalio/client';
import type { BenchWorker } from './worker.js';
import type { SideName } from './side-name.js';

/**
 * The kinds of work, each an event of the valve. `turn` calls nothing, `probe` makes an inline call, `overhaul` calls an activity.
 * `later` calls an activity too, but the caller asks for the outcome only after the event is taken. `operation` calls an activity
 * that takes longer, so that an operation with a workflow of its own follows it.
 */
export type Work = 'turn' | 'probe' | 'overhaul' | 'later' | 'operation';
export const WORKS: readonly Work[] = ['turn', 'probe', 'overhaul', 'later', 'operation'];
export const WORK_TITLES = {
  turn: 'without call',
  probe: 'with an inline call',
  overhaul: 'with an activity',
  later: 'with an activity, asked for later',
  operation: 'with an activity of 1.5 s, followed by a workflow',
} as const satisfies Record<Work, string>;
/** How long a repair takes, in milliseconds: long enough that an operation with a workflow follows it. */
export const REPAIR_MS = 1_500;
/** How many repairs are measured in a row. */
export const REPAIRS = 4;

/** Valves on raw Temporal or on Reeve, alike for the cases. Each promise ends when its caller knows the outcome. */
export interface Side {
  readonly name: SideName;
  readonly client: Client;
  readonly worker: BenchWorker;
  workflowId(key: string): string;
  /** Starts the creation of a valve. Ends as soon as it is certain that there will be one. */
  start(key: string): Promise<void>;
  create(key: string): Promise<void>;
  /** Raises an event. Gives the ids of the workflows that were made for it. */
  raise(key: string, work: Work): Promise<readonly string[]>;
  /** Raises an event that is rejected. */
  reject(key: string): Promise<void>;
  read(key: string): Promise<unknown>;
  /** Runs a workflow that knows nothing of Reeve, in the worker of this side. */
  errand(workflowId: string): Promise<void>;
  /** Ends all valves that were made. */
  clear(): Promise<void>;
}
