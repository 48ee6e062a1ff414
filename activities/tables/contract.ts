import { z } from 'zod';
import { defineResource } from '../../src/definition/resource.js';
import { resumedByHost } from '../values/resumed-by-host.js';
import { applicationName, sqlName } from '../values/database-names.js';
import { column, tableName } from '../values/table.js';

/** `of` is the key of the PartitionedTable, so that no other table of that name is taken for it. */
const place = { application: applicationName, database: sqlName, table: tableName, of: z.string() };

/** Tables that are spread by the hash of their key over the databases of instances. I7 */
export const tables = defineResource(
  'tables',
  resumedByHost({
    /** Makes the part of a table that is in one database: the partitions from the first to the last, of so many in all. */
    createPart: {
      input: z.object({
        ...place,
        columns: z.array(column),
        key: sqlName,
        partitions: z.number().int(),
        first: z.number().int(),
        last: z.number().int(),
      }),
      output: z.object({}),
      timeout: '5m',
      summary: 'create partitions {first} to {last} of {table} in {application}',
    },
    dropPart: {
      input: z.object(place),
      output: z.object({}),
      timeout: '5m',
      summary: 'drop {table} in {application}',
    },
  }),
);
