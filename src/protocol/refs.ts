import { z } from 'zod';
import { entityId, type EntityRef } from './names.js';
import type { Described } from './plain.js';

export const entityRef = z.object({ type: z.string(), key: z.string() }) satisfies z.ZodType<EntityRef>;

export const livingRef = entityRef.extend({
  /** Its run chain: a later entity of the same key is another one. */
  life: z.string(),
});

/** An entity of a certain life. */
export interface LivingRef extends Described<typeof livingRef> {}

/** Names one life of an entity: `Box/a#life`. A later entity of the same key has another name. */
export function lifeName(ref: LivingRef): string {
  return `${entityId(ref)}#${ref.life}`;
}
