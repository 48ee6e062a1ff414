import { z } from '@hono/zod-openapi';

/**
 * A schema that also takes null. For one with a name in the document, `.nullable()` would say that null is an object of it, or
 * make it nullable wherever else it is named.
 */
export function orNull<Schema extends z.ZodType>(schema: Schema) {
  return z.union([schema, z.null()]);
}
