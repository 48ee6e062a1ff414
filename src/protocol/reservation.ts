import { z } from 'zod';
import type { Described } from './plain.js';
import { entityRef, livingRef } from './refs.js';
import { rejection } from './rejection.js';
import { raiseRequest } from './request.js';

/*
 * The messages that the owner of a reservation and the reserved entity send each other. S3.6
 */

export const hold = z.enum(['action', 'operation']);

/** How long a reservation lasts, if its lease does not end first: as long as the action, or the operation. S3.6 */
export type Hold = z.infer<typeof hold>;

export const reserve = z.object({
  kind: z.literal('reserve'),
  /** Names the reservation, and the wait for it. */
  wait: z.string(),
  from: livingRef,
  operation: z.string(),
  /** How long it lasts at most once it is granted, in milliseconds. */
  leaseMs: z.number(),
  hold,
  /** When the action stops waiting for it, in milliseconds since 1970. */
  until: z.number(),
  /** The fence of the reservation that this one replaces, to give the same owner a new lease. */
  renews: z.number().int().exactOptional(),
  /** The tenant of the asking entity. S6.5 */
  tenant: z.string().exactOptional(),
});

/** From an action to another entity: reserve yourself for me. S3.6 */
export interface Reserve extends Described<typeof reserve> {}

export const lease = z.object({
  kind: z.literal('lease'),
  wait: z.string(),
  /** The lease, in milliseconds. */
  leaseMs: z.number(),
});

/** All entities that are reserved together are reserved now: the lease of this one runs from now on. */
export interface Lease extends Described<typeof lease> {}

export const release = z.object({
  kind: z.literal('release'),
  wait: z.string(),
  /**
   * Present when the operation sends this, since the reservation lasted for it. A sealed entity still waits for its owner's
   * word.
   */
  operation: z.string().exactOptional(),
});

/** A reservation is over, or nobody waits for it any more. */
export interface Release extends Described<typeof release> {}

export const seal = z.object({
  kind: z.literal('seal'),
  /** Names the seal, and the wait for the answer. */
  wait: z.string(),
  from: livingRef,
  /** Names the reservation. */
  reservation: z.string(),
  /** The version of the owner. A seal that is not newer than the last one comes too late. */
  version: z.number().int(),
  /** The first event, as it is going to be raised. */
  first: raiseRequest,
  /** The request ids of the events that come after it. */
  others: z.array(z.string()),
});

/** From the owner of a reservation, before its action is committed: would you admit what I am about to raise on you? S3.6 */
export interface Seal extends Described<typeof seal> {}

export const sealed = z.object({
  kind: z.literal('sealed'),
  from: entityRef,
  /** The life of the entity that it is meant for. */
  toLife: z.string(),
  wait: z.string(),
  rejection: rejection.exactOptional(),
});

/** The answer to a seal: from now on the reservation waits for its owner's word, or the rejection says why it does not. */
export interface Sealed extends Described<typeof sealed> {}

export const unseal = z.object({ kind: z.literal('unseal'), reservation: z.string(), wait: z.string() });

/** From the owner: the events do not come after all, and the reservation goes on with its lease. */
export interface Unseal extends Described<typeof unseal> {}

export const ownerLook = z.object({
  kind: z.literal('owner-look'),
  from: entityRef,
  reservation: z.string(),
  hold,
  /** Names the seal, where the entity is sealed and asks whether the events still come. */
  wait: z.string().exactOptional(),
  /** Grows with each look. */
  round: z.number().int(),
});

/** From a reserved entity that has heard nothing for some time to the owner: do you still need it? */
export interface OwnerLook extends Described<typeof ownerLook> {}
