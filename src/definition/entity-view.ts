import type { Duration } from './duration.js';
import type { AnyEntity, LinksOf, PropertiesOf, StateOf, SubordinatesOf } from './entity.js';
import type { KeyOf } from './key-schema.js';
import type { Health } from './state.js';

/** Another entity as it was committed when it answered, without the changes of a running action. S3.7 */
export interface EntityView<E extends AnyEntity = AnyEntity> {
  readonly type: E['name'];
  readonly key: string;
  readonly state: StateOf<E>;
  /** A number that grows by one with each transition. */
  readonly version: number;
  readonly health: Health;
  /** Is true if nothing is under way on it, and nothing that has come waits for its turn. */
  readonly settled: boolean;
  readonly properties: Readonly<PropertiesOf<E>>;
  readonly links: Readonly<LinksOf<E>>;
  readonly subordinates: Readonly<SubordinatesOf<E>>;
}

/** Another entity that the action has reserved: it stays as it was seen until the action changes it. S3.6 */
export type ReservedView<E extends AnyEntity = AnyEntity> = EntityView<E> & {
  /** Grows with each reservation of the entity. A resource that gets this number can tell that a newer owner has come. */
  readonly fence: number;
  /** The end of the lease, in milliseconds since 1970. */
  readonly until: number;
};

/** Describes what to reserve: `[Account, 'savings']`. */
export type Reservable<E extends AnyEntity = AnyEntity> = readonly [entity: E, key: KeyOf<E>];

/** Holds the options of a reservation. S3.6 */
export interface ReserveOptions {
  /**
   * Sets how long the reservation lasts at most, even when its owner is lost. For several entities, the time runs from when all are
   * reserved. Default: 1 minute.
   */
  readonly lease?: Duration;
  /** It ends with the action (default), or with the operation, unless its lease ends before. */
  readonly until?: 'action' | 'operation';
  /** Sets how long to wait at most until all are reserved. Default: 1 minute. */
  readonly within?: Duration;
}

/** Holds the options of reading another entity. */
export interface ReadOptions {
  /** Sets how long to wait for the answer at most. Default: 1 minute. */
  readonly within?: Duration;
}
