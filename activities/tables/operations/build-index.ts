import { z } from 'zod';
import { sqlName } from '../../values/database-names.js';
import { tablePartName } from '../../values/table.js';
import { defineDistributedOperation } from '../../../src/distributed/index.js';
import { TABLE_ROLES } from './roles.js';

/** Builds an index on each partition of a table while clients go on writing, and then on the table itself. I7 */
export const buildIndex = defineDistributedOperation('buildIndex', {
  argument: z.strictObject({ index: tablePartName, columns: z.array(sqlName).min(1).max(32) }),
  object: ({ index }) => index,
  on: 'primary',
  canFail: false,
  // Nothing but what PostgreSQL has built counts as progress: a build that was cut short begins again.
  progress: { schema: z.object({ done: z.number(), total: z.number() }), kept: 'volatile' },
  compatibleWith: ['validate'],
  atOnce: 4,
  pause: 'lets it end',
  roles: TABLE_ROLES,
});
