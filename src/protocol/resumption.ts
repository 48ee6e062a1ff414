import type { LivingRef } from './refs.js';

/**
 * An entity whose history another process has read, to go on with it while it waits: what the process before had in memory is gone.
 * Nothing tells yet whether that one has died, has ended in an orderly way, or needed its memory for others. S5.1
 */
export interface Resumption {
  readonly entity: LivingRef;
  /** Work that goes on: events that have not ended, and operations for which the entity rests until its successors have come far enough. */
  readonly goesOn: readonly { readonly operation: string; readonly event?: string }[];
}
