import { z } from 'zod';
import { tableName } from '../../activities/values/table.js';
import { databaseKey } from '../logical-database/names.js';

/** The key of a table: the database that has its first partitions, and its name: `orders.sales/line_items`. */
export const tableKey = z
  .string()
  .refine((key) => key.split('/').length === 2, 'write the database, a slash and the table: orders.sales/line_items')
  .refine(
    (key) => databaseKey.safeParse(homeOf(key)).success,
    'write a database before the slash, such as orders.sales',
  )
  .refine(
    (key) => tableName.safeParse(nameOf(key)).success,
    'write the name of a table behind the slash, such as line_items',
  );

/** The key of the database that a table's key begins with. */
export function homeOf(key: string): string {
  return key.slice(0, key.indexOf('/'));
}

/** The name of the table in its databases. */
export function nameOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
