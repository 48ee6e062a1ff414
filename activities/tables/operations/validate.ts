import { z } from 'zod';
import { sqlName } from '../../values/database-names.js';
import { tablePartName } from '../../values/table.js';
import { defineDistributedOperation } from '../../../src/distributed/index.js';
import { TABLE_ROLES } from './roles.js';

const bound = z.number();

/** The condition that each row has to meet. */
const rule = z.union([
  z.strictObject({ notNull: sqlName }),
  z.strictObject({ check: z.string().min(1).max(2_000) }),
  z
    .strictObject({ column: sqlName, min: bound.optional(), max: bound.optional() })
    .refine(({ min, max }) => min !== undefined || max !== undefined, 'say min, max or both'),
]);

export type Rule = z.output<typeof rule>;

/** The keys of rows are kept as text. */
const key = z.string();

/** Checks every row of a table, on a standby where there is one, and counts those that break a rule. I7 */
export const validate = defineDistributedOperation('validate', {
  argument: z.strictObject({
    /** Names the rule; the constraint has this name. */
    name: tablePartName,
    rule,
    /** Tells whether the rule becomes a constraint: from before the first job on, no row that breaks it can be written. */
    constraint: z.boolean().default(false),
    /** How many rows are read at once. */
    batch: z.number().int().min(1).max(1_000_000).default(10_000),
    /** Tells whether a job that was cut short goes on where it was. */
    resume: z.boolean().default(true),
  }),
  object: ({ name }) => name,
  on: 'any',
  canFail: true,
  whenOneFails: 'finish',
  progress: {
    schema: z.object({
      done: z.number(),
      total: z.number(),
      /** The key of the last row that was read. */
      last: key,
      /** How many rows break the rule, and the keys of the first of them. */
      broken: z.number(),
      keys: z.array(key),
    }),
    kept: 'transferable',
  },
  compatibleWith: ['buildIndex'],
  atOnce: 4,
  roles: TABLE_ROLES,
});
