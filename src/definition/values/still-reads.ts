import { z } from 'zod';
import { plainCopy } from './plain.js';
import { isSameValue } from './same-value.js';
import type { AnySchema } from './schema-parts.js';

/** Tells whether a schema takes a value of JSON, and leaves it as it is. */
export function stillReads(schema: AnySchema, value: unknown): boolean {
  const again = z.safeParse(schema, value);
  if (!again.success) return false;
  const copied = plainCopy(again.data);
  return copied.plain && isSameValue(copied.value, value);
}
