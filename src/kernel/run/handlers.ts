import type { Answer } from '../../protocol/answer.js';
import type { EngagementOutcome } from '../../protocol/outcome.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { ToldWaits, TransitionRecord } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** Why a batch is refused as a whole: then nothing of it needs to be recorded. */
export type BatchRefusal =
  | { readonly kind: 'malformed'; readonly problem: string }
  /** The entity is about to go on in a new run, which takes the batch. */
  | { readonly kind: 'closing' }
  | { readonly kind: 'rejected'; readonly answers: readonly Answer[] };

/** All that can come to an entity from outside. */
export interface EntityHandlers {
  snapshot(): Snapshot;
  /** The transitions after a version that the entity has yet to bring to the store, the oldest first. A6 */
  transitionsAfter(version: number): readonly TransitionRecord[];
  /** The waits of the entity, as it has told them to the store last in this run. A6 */
  readonly waits: ToldWaits | undefined;
  /** Looks at a batch before it is recorded. Changes nothing. */
  refuse(requests: readonly RaiseRequest[]): BatchRefusal | undefined;
  /** Raises a batch that was not refused, and answers each of its events. */
  raise(requests: readonly RaiseRequest[]): Promise<readonly Answer[]>;
  /** Tells whether the outcome of an event that was raised can be told, now or in a moment. */
  tells(event: string): boolean;
  /** Waits for that outcome; nothing when an operation follows the event by then. */
  outcome(event: string): Promise<EngagementOutcome | undefined>;
  /** A message of another entity or of an operation, and the name of the signal that has brought it. */
  message(message: unknown, signal?: string): void;
  /** A plain signal: an event by its name, with parameters and `SignalOptions`. */
  signal(name: string, ...args: readonly unknown[]): void;
  /** A signal that cannot be taken: it is recorded and dropped. */
  dropSignal(name: string, problem: string): void;
}
