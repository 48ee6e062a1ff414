import { z } from 'zod';
import { SUCCESSOR_QUALITIES } from '../predicate.js';
import { quantifierNames } from '../quantifiers.js';

const text = z.string('is not a text').optional();

/** The data that `all`, `any`, `none`, `atLeast`, `and`, `or` and `not` make. */
export function predicateShape(): z.ZodType {
  // This is a function, since workers freeze what preloaded modules export, and zod still writes to its schemas.
  const nested = z.lazy(predicateShape);
  const parts = {
    filter: z.strictObject({ type: text, role: text, key: text }),
    test: z.strictObject({
      in: z.array(z.string(), 'is not a list of names').optional(),
      is: z.enum(SUCCESSOR_QUALITIES, `is none of ${SUCCESSOR_QUALITIES.join(', ')}`).optional(),
    }),
  };
  return z.discriminatedUnion(
    'kind',
    [
      z.strictObject({
        kind: z.enum(quantifierNames(false)),
        ...parts,
      }),
      z.strictObject({
        kind: z.enum(quantifierNames(true)),
        count: z.int('is not a whole number of at least 1').min(1, 'is not a whole number of at least 1'),
        ...parts,
      }),
      z.strictObject({ kind: z.enum(['and', 'or']), predicates: z.array(nested, 'is not a list of patterns') }),
      z.strictObject({ kind: z.literal('not'), predicate: nested }),
    ],
    'is not a pattern',
  );
}
