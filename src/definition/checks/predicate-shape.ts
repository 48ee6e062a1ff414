import { z } from 'zod';

const text = z.string('is no text').optional();

/** The data that `all`, `any`, `none`, `and`, `or` and `not` make. */
export function predicateShape(): z.ZodType {
  // A function, since workers freeze what preloaded modules export, and zod still writes to its schemas.
  const nested = z.lazy(predicateShape);
  return z.discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.enum(['all', 'any', 'none']),
        filter: z.strictObject({ type: text, role: text, key: text }),
        test: z.strictObject({
          in: z.array(z.string(), 'is no list of names').optional(),
          is: z
            .enum(['settled', 'healthy', 'failed', 'rejected'], 'is none of settled, healthy, failed, rejected')
            .optional(),
        }),
      }),
      z.strictObject({ kind: z.enum(['and', 'or']), predicates: z.array(nested, 'is no list of patterns') }),
      z.strictObject({ kind: z.literal('not'), predicate: nested }),
    ],
    'is no pattern',
  );
}
