import { z } from 'zod';
import type { Described } from './plain.js';
import { entityRef, livingRef } from './refs.js';
import { fence } from './request.js';

export const read = z.object({
  kind: z.literal('read'),
  from: livingRef,
  /** Names the wait for the answer. */
  wait: z.string(),
  /** The tenant of the asking entity. S6.5 */
  tenant: z.string().exactOptional(),
});

/** From an action to another entity: how are you? That entity does not remember the question. S3.3 */
export interface Read extends Described<typeof read> {}

const seenEntity = entityRef.extend({
  state: z.string(),
  version: z.number().int(),
  health: z.enum(['normal', 'error']),
  settled: z.boolean(),
  properties: z.record(z.string(), z.unknown()),
  links: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  subordinates: z.record(z.string(), z.record(z.string(), z.unknown())),
});

/** An entity as others see it: what an `EntityView` is for a declared type. */
export interface SeenEntity extends Described<typeof seenEntity> {}

/** An entity that an action has reserved: what a `ReservedView` is for a declared type. */
export interface ReservedEntity extends SeenEntity {
  readonly fence: number;
  readonly until: number;
}

export const view = z.object({
  kind: z.literal('view'),
  from: entityRef,
  /** The life of the entity that it is meant for. */
  toLife: z.string(),
  wait: z.string(),
  view: seenEntity.exactOptional(),
  /** Present in the answer to an action that reserves. `until`: the end of the lease, in milliseconds since 1970. */
  granted: fence.extend({ until: z.number() }).exactOptional(),
});

/** The answer to an action that reads: the entity as it is committed, or nothing when it is deleted. S3.7 */
export interface View extends Described<typeof view> {}
