import type { AnyEntity } from '../../src/definition/entity.js';
import type { AllowedEvent } from '../../src/kernel/rules/allowed-events.js';
import type { KeyOf } from '../../src/definition/key-schema.js';
import type { Call } from '../../src/definition/resource.js';
import type { OperationResult } from '../../src/operations/status.js';
import type { Answer } from '../../src/protocol/answer.js';
import type { CallbackAnswer } from '../../src/protocol/callback.js';
import type { Rejection } from '../../src/protocol/rejection.js';
import type { RaiseRequest, SignalOptions } from '../../src/protocol/request.js';
import type { EstatePlane } from './estate.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';

/** An event that was taken. */
export interface AcceptedEvent {
  readonly requestId: string;
  readonly answer: Exclude<Answer, { status: 'rejected' }>;
}

/** All that a provider was told of a question that was closed. */
export interface Withdrawal {
  readonly input: unknown;
  readonly idempotencyKey: string;
  readonly question: string;
  readonly reason: string;
}

interface Options {
  readonly requestId?: string;
  /** For how many milliseconds the answer may be held back. */
  readonly holdMs?: number;
  readonly construct?: unknown;
}

/** All that a scenario works with: entities that run on one of the drivers. */
export interface Plane {
  create(
    entity: AnyEntity,
    key: KeyOf<AnyEntity>,
    event: string,
    params?: unknown,
    options?: Options,
  ): Promise<AcceptedEvent>;
  construct(entity: AnyEntity, key: string, values: unknown): Promise<AcceptedEvent>;
  raise(
    entity: AnyEntity,
    key: KeyOf<AnyEntity>,
    event: string,
    params?: unknown,
    options?: Options,
  ): Promise<AcceptedEvent>;
  raiseAll(entity: AnyEntity, key: string, requests: readonly RaiseRequest[]): Promise<readonly Answer[]>;
  /** A plain signal, as any Temporal client sends it. */
  signal(entity: AnyEntity, key: string, event: string, params?: unknown, options?: SignalOptions): Promise<void>;
  read(entity: AnyEntity, key: string): Promise<Snapshot>;
  allowed(entity: AnyEntity, key: string): Promise<readonly AllowedEvent[]>;
  /** Gives several answers from outside at once: to what the entity waits for, in the order in which it was asked. A1 */
  answerAll(entity: AnyEntity, key: string, answers: readonly CallbackAnswer[]): Promise<void>;
  /** Makes the entity go on in a new run, also amid an action that waits for answers of others. Q1 */
  goOn(entity: AnyEntity, key: string): Promise<void>;
  /** Answers from outside what the entity has asked last. A1 */
  answer(entity: AnyEntity, key: string, call: Call, answer: CallbackAnswer): Promise<void>;
  /** Answers at the address that the entity gave to a call last. A2 */
  answerAt(key: string, answer: CallbackAnswer): Promise<void>;
  /** Lists what a provider was told of questions of an entity that were closed without an answer. A3 */
  withdrawals(key: string): readonly Withdrawal[];
  result(taken: AcceptedEvent): Promise<OperationResult>;
  cancel(operation: string): Promise<void>;
  /** Lists what a store has been told: the newest of each operation, event, transition and entity. A4, A6 */
  records(): readonly StoreRecord[];
  /** Lists what components of a rig have noted, each once, in order. W1 */
  notes(rig: string): readonly string[];
  /** Makes absent what conditions of the world ask for under a name, the next so many times. W3 */
  absent(name: string, times: number): void;
  /** Works on an estate of so many fields, with operations over them. I1 to I8 */
  onEstate(target: string, fields: number, work: (estates: EstatePlane) => Promise<void>): Promise<void>;
  /** An operator ends the entity by force. */
  terminate(entity: AnyEntity, key: string): Promise<void>;
  /** The worker forgets the entity: it goes on from its history. */
  forget(entity: AnyEntity, key: string): Promise<void>;
  /** The worker that makes calls ends, and another one starts. A5 */
  replaceWorker(): Promise<void>;
  /** Goes on until a check passes. */
  until(check: () => Promise<boolean>): Promise<void>;
  /** The next calls for a name fail so often; the calls' idempotency keys. */
  fail(name: string, times: number): void;
  keys(name: string): readonly string[];
  /** The next call for an entity takes time: until it is let go, or some seconds. */
  hold(entity: AnyEntity, name: string): { letGo(): void };
}

/** The rejection of what should not be taken. */
export async function rejection(raised: Promise<unknown>): Promise<Rejection> {
  return raised.then(
    () => {
      throw new Error('it was not rejected');
    },
    (thrown: { readonly rejection?: Rejection }) => {
      if (!thrown.rejection) throw thrown;
      return thrown.rejection;
    },
  );
}
