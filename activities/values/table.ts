import { z } from 'zod';
import { sqlName } from './database-names.js';

/** The longest name of a table or an index: what is made for each partition has a number behind it, and PostgreSQL takes 63 bytes. */
const LONGEST = 50;

/** The name of a table with partitions. */
export const tableName = sqlName.max(LONGEST, `use at most ${LONGEST} characters`);

/** The name of an index or a constraint of such a table. */
export const tablePartName = sqlName.max(LONGEST, `use at most ${LONGEST} characters`);

/** A column: its type as PostgreSQL writes it, such as `bigint`, `numeric(12,2)` or `text[]`. */
export const column = z.strictObject({
  name: sqlName,
  type: z
    .string()
    .regex(
      /^[a-z][a-z0-9_ ]{0,62}(\([0-9]{1,4}(,[0-9]{1,4})?\))?(\[\])?$/,
      'write a type of PostgreSQL, such as bigint, numeric(12,2) or text',
    ),
  notNull: z.boolean().default(false),
});

export type Column = z.output<typeof column>;

/** The table of one partition, in the database that has it. */
export function partitionTable(table: string, partition: number): string {
  return `${table}_p${partition}`;
}
