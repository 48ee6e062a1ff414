import { z } from 'zod';
import { chain } from './chain.js';
import type { Described } from './plain.js';
import { livingRef } from './refs.js';
import { watcher } from './request.js';

/*
 * The messages between an entity and its successors, except events and reports.
 */

export const look = z.object({
  kind: z.literal('look'),
  from: watcher,
  /** The life that is meant, once it is known. */
  life: z.string().exactOptional(),
  /** The last event that was raised on it. */
  request: z.string(),
  /** The version of the last report; none while there is no answer to the request. */
  version: z.number().int().exactOptional(),
});

/** From an entity to a successor of which it has heard nothing for some time: does it still exist? S4.4 */
export interface Look extends Described<typeof look> {}

export const stranger = z.object({
  kind: z.literal('stranger'),
  from: livingRef,
  /** The life of the entity that it is meant for. */
  toLife: z.string(),
  request: z.string(),
});

/** The answer of an entity that does not know the request, since another life had the key. S4.4 */
export interface Stranger extends Described<typeof stranger> {}

export const lost = z.object({
  kind: z.literal('lost'),
  from: livingRef,
  /** The life of the entity that it is meant for. */
  toLife: z.string(),
});

/** From the keeper to the watchers of an entity: this life of it did not end by itself. S4.4 */
export interface Lost extends Described<typeof lost> {}

export const accepted = z.object({
  kind: z.literal('accepted'),
  from: livingRef,
  /** The life of the entity that it is meant for. */
  toLife: z.string(),
  request: z.string(),
  /** The chain of actions that has led to it. S1.5a */
  chain: chain.exactOptional(),
});

/** From a successor to the entity that has raised an event on it: the event is valid, and its action starts. S3.3 */
export interface Accepted extends Described<typeof accepted> {}

export const withdraw = z.object({ kind: z.literal('withdraw'), from: livingRef, request: z.string() });

/** From an entity whose action no longer waits for an event: the event must not begin, if it still waits. S3.8 */
export interface Withdraw extends Described<typeof withdraw> {}
