import { z } from 'zod';
import { sqlName } from '../../activities/values/database-names.js';
import { column } from '../../activities/values/table.js';
import {
  alreadyDone,
  alreadyInProgress,
  defineEntity,
  deleted,
  initial,
  links,
  rejection,
  stable,
  unstable,
} from '../../src/definition/index.js';
import { LogicalDatabase } from '../logical-database/definition.js';
import { databaseKey } from '../logical-database/names.js';
import { unlessReady } from '../logical-database/rejections.js';
import { homeOf, tableKey } from './names.js';

/** The most partitions of a table. PostgreSQL plans queries for some thousands of them. */
const MOST_PARTITIONS = 2_000;

const failed = rejection('creation_failed', 'The creation failed: delete the table before you create it again');
const beingDeleted = rejection('deletion_in_progress', 'The table is being deleted');

/** A table that is spread by the hash of its key over one or more logical databases, and has partitions in each of them. I7 */
export const PartitionedTable = defineEntity('PartitionedTable', {
  description: 'A table whose partitions are spread over databases, by the hash of its key.',
  key: tableKey,
  properties: z.object({
    columns: z.array(column).default([]),
    /** The column by whose hash rows are spread, which is the primary key. */
    keyColumn: sqlName.default('id'),
    /** How many partitions there are in all databases together; they are numbered from 0. */
    partitions: z.number().int().default(0),
  }),
  links: {
    /** Each of them has the same number of partitions, as far as that is possible, in this order. */
    databases: links(LogicalDatabase),
  },
  dimensions: { partitioned_table_id: 'key' },
  roles: { read: ['reader', 'owner', 'operator'], raise: ['owner', 'operator'], operate: ['operator'] },
  states: {
    Absent: initial(),
    Creating: unstable({ retry: { attempts: 5, delay: '500ms', exhausted: 'Undoing' } }),
    Ready: stable(),
    Undoing: unstable({ health: 'error', retry: { attempts: 10, delay: '1s', exhausted: 'Failed' } }),
    Failed: stable({ health: 'error' }),
    Deleting: unstable({ retry: { delay: '500ms' } }),
    Deleted: deleted(),
  },
  events: {
    create: {
      params: z
        .strictObject({
          columns: z.array(column).min(1).max(200),
          keyColumn: sqlName.default('id'),
          partitions: z.number().int().min(1).max(MOST_PARTITIONS).default(16),
          /** The databases that have partitions besides the one that the key names. */
          alsoIn: z.array(databaseKey).max(31).default([]),
        })
        .refine(({ columns, keyColumn }) => columns.some(({ name }) => name === keyColumn), {
          path: ['keyColumn'],
          message: 'is none of the columns',
        })
        .refine(({ alsoIn, partitions }) => partitions > alsoIn.length, {
          path: ['partitions'],
          message: 'are fewer than the databases, each of which has at least one',
        }),
      in: 'Absent',
      otherwise: {
        Creating: alreadyInProgress(),
        Ready: alreadyDone(),
        Undoing: failed,
        Failed: failed,
        Deleting: beingDeleted,
      },
      needs: {
        type: 'LogicalDatabase',
        key: tableKey.transform(homeOf),
        unless: unlessReady,
        absent: rejection('database_not_ready', 'A table is created in a database, once that is Ready'),
      },
      budget: '10m',
    },
    delete: { in: ['Ready', 'Failed'], otherwise: { Deleting: alreadyInProgress() }, budget: '10m' },
  },
  actions: {
    begin: { on: 'create', in: 'Absent', to: 'Creating', raises: [] },
    createParts: { in: 'Creating', to: ['Ready', 'Undoing'], raises: [] },
    undo: { in: 'Undoing', to: 'Failed', raises: [] },
    beginDeletion: { on: 'delete', in: ['Ready', 'Failed'], to: 'Deleting', raises: [] },
    dropParts: { in: 'Deleting', to: 'Deleted', raises: [] },
  },
});
