import type { Health } from '../definition/state.js';
import type { LivingRef } from './messages.js';
import type { EntityRef } from './names.js';
import type { Fence } from './reservation.js';
import type { Snapshot } from './snapshot.js';

/** From an action to another entity: how are you? Nothing of it is remembered there. S3.3 */
export interface Read {
  readonly kind: 'read';
  readonly from: LivingRef;
  /** Names the wait for the answer. */
  readonly wait: string;
  /** Of the asking entity. S6.5 */
  readonly tenant?: string;
}

/** An entity as others see it: what an `EntityView` is for a declared type. */
export interface SeenEntity extends Pick<
  Snapshot,
  'type' | 'key' | 'state' | 'version' | 'properties' | 'links' | 'subordinates'
> {
  readonly health: Health;
  readonly settled: boolean;
}

/** An entity that an action has reserved: what a `ReservedView` is for a declared type. */
export interface ReservedEntity extends SeenEntity {
  readonly fence: number;
  readonly until: number;
}

/** The answer to an action that reads: as it is committed, or nothing when the entity is deleted. S3.7 */
export interface View {
  readonly kind: 'view';
  readonly from: EntityRef;
  /** The life of the entity that it is meant for. */
  readonly toLife: string;
  readonly wait: string;
  readonly view?: SeenEntity;
  /** The answer to an action that reserves: until when, in milliseconds since 1970. */
  readonly granted?: Fence & { readonly until: number };
}
