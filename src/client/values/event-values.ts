import type { EntityRef } from '../../protocol/names.js';

/** An event on one life of an entity, as the store has it. */
export interface AskedEvent {
  readonly entity: EntityRef;
  /** The run chain of the life. */
  readonly life: string;
  /** The request id, unique in this life. */
  readonly id: string;
  readonly event: string;
  /** In milliseconds since 1970. */
  readonly startedAt: number;
  /** Absent while it has not ended. */
  readonly endedAt?: number;
  /** The inline calls that its actions have made, as the store has them: history has them without their inputs. */
  readonly inline: readonly InlineCall[];
}

/** A call that was made inline. All times are milliseconds since 1970. */
export interface InlineCall {
  readonly call: string;
  readonly action: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly error?: { readonly code: string; readonly message: string };
}

/** Values that history has. */
export interface EventValues {
  /**
   * How much of the history was read. `gone`: Temporal has none of the runs any more. `unreadable`: its payloads cannot be decrypted here.
   */
  readonly history: 'complete' | 'incomplete' | 'gone' | 'unreadable';
  /** Why the history is not complete. */
  readonly reason?: string;
  /** The request that raised it; absent where history does not have it. */
  readonly request?: RequestValues;
  /** In the order in which they began. */
  readonly calls: readonly CallValues[];
}

/** The values that were sent with an event. */
export interface RequestValues {
  readonly params?: unknown;
  /** The values for a new entity. */
  readonly construct?: unknown;
  /** The type of the entity that raised it. */
  readonly from?: string;
}

/** A call, once for each attempt of its action. All times are milliseconds since 1970. */
export interface CallValues {
  readonly call: string;
  readonly action: string;
  readonly mode: 'activity' | 'inline' | 'callback';
  readonly startedAt: number;
  readonly endedAt?: number;
  /** Absent of an inline call. */
  readonly input?: Recorded;
  readonly output?: Recorded;
  readonly error?: { readonly code: string; readonly message: string };
  /** The identity of the worker that made it last, as Temporal has it. Absent of an inline call, and until it has ended. */
  readonly worker?: string;
  /** How often it was made, because a worker was lost. */
  readonly attempts: number;
  /** Why the execution before the last one has ended. */
  readonly earlierError?: string;
}

/** A value that was found, or why it cannot be read. */
export type Recorded = { readonly value: unknown } | { readonly unreadable: string };
