import type { Client } from '@temporalio/client';
import type { BenchWorker } from './worker.js';
import type { SideName } from './side-name.js';

/**
 * An event of the valve by what it calls: nothing; an inline call; an activity; an activity, and its caller asks for the outcome
 * only when the event is taken; an activity that takes longer, so that an operation with a workflow of its own follows it.
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
/** Long enough that an operation follows it. */
export const REPAIR_MS = 1_500;
/** How often in a row it is measured. */
export const REPAIRS = 4;

/** Valves on raw Temporal or on Reeve, alike for those who measure. Each promise ends when its caller knows the outcome. */
export interface Side {
  readonly name: SideName;
  readonly client: Client;
  readonly worker: BenchWorker;
  workflowId(key: string): string;
  /** Ends as soon as it is certain that there will be one. */
  start(key: string): Promise<void>;
  create(key: string): Promise<void>;
  /** Gives the ids of workflows that were made for it. */
  raise(key: string, work: Work): Promise<readonly string[]>;
  /** Raises what is rejected. */
  reject(key: string): Promise<void>;
  read(key: string): Promise<unknown>;
  /** Ends all valves that were made. */
  clear(): Promise<void>;
}
