import type { EntityMessage } from '../protocol/entity-message.js';
import type { EntityRef } from '../protocol/names.js';
import type { RecordDriver } from '../recording/driver.js';
import type { OperationStatus } from './status.js';

/** All that can come to an operation from outside. */
export interface OperationHandlers {
  status(): OperationStatus;
  /** A message of a participant, or a request to cancel. */
  message(message: unknown): void;
}

/**
 * The narrow seam between an operation and the world, as `EntityDriver` is for entities.
 * Everything asynchronous is durable: it goes on after a crash, and gives the same answers when it is replayed.
 */
export interface OperationDriver {
  /** The way to the store. */
  readonly records: RecordDriver;
  /** Milliseconds since 1970; the same when replayed. */
  now(): number;
  /** Waits until the predicate holds (true), or the time is over (false). `summary` tells people what the wait is for. */
  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean>;
  /** From now on, hands what comes from outside to these handlers. */
  serve(handlers: OperationHandlers): void;
  sendMessage(to: EntityRef, message: EntityMessage): Promise<'delivered' | 'absent'>;
  /** Shows outside how the operation is, now that it waits or has ended. */
  show(status: OperationStatus): void;
  /** Tells whether a run that an older build began may ask again to cancel: a replay asks as often as that build did. */
  asksAgain(): boolean;
  /** Tells whether history has grown so long that the operation should go on in a new run. */
  shouldRollOver(): boolean;
  /** A note for the log of the worker. */
  warn(message: string, attributes: Readonly<Record<string, unknown>>): void;
}
