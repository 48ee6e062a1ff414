import { z } from 'zod';
import { COMPARISONS, type ComparisonName } from '../condition.js';

/** The data that `property`, `linked`, `parameter`, `and`, `or` and `not` make. */
export function conditionShape(): z.ZodType {
  // This is a function, since workers freeze what preloaded modules export, and zod still writes to its schemas.
  const nested = z.lazy(conditionShape);
  const subject = z.string().regex(/^(properties|links|parameters)\../, 'names no value');
  const scalar = z.union([z.string(), z.boolean(), z.number()], 'is neither a text, a number nor a boolean');
  const comparisons = Object.keys(COMPARISONS) as [ComparisonName, ...ComparisonName[]];
  return z.discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('isSet'), of: subject }),
      z.strictObject({ kind: z.literal('isOneOf'), of: subject, values: z.array(scalar, 'is not a list of values') }),
      z.strictObject({
        kind: z.enum(comparisons),
        of: subject,
        value: z.union([scalar, z.strictObject({ of: subject })], 'is no value to compare with'),
      }),
      z.strictObject({ kind: z.enum(['and', 'or']), predicates: z.array(nested, 'is not a list of conditions') }),
      z.strictObject({ kind: z.literal('not'), predicate: nested }),
    ],
    'is not a condition',
  );
}
