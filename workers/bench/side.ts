import type { Client } from '@temporalio/client';
import type { BenchWorker } from './worker.js';

export type SideName = 'raw' | 'reeve';
export const SIDES: readonly SideName[] = ['raw', 'reeve'];

/**
 * An event of the valve by what it calls: nothing, an inline call, an activity, an activity while an operation with a workflow
 * of its own follows the event.
 */
export type Work = 'turn' | 'probe' | 'overhaul' | 'operation';
export const WORKS: readonly Work[] = ['turn', 'probe', 'overhaul', 'operation'];
export const WORK_TITLES = {
  turn: 'without call',
  probe: 'with an inline call',
  overhaul: 'with an activity',
  operation: 'with an activity, followed by an operation',
} as const satisfies Record<Work, string>;

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
