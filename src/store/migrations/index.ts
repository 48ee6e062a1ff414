import type { Migration } from 'kysely';
import { tables } from './0001-tables.js';

/** The migrations of the tables, in their order. A migration that was released is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': tables,
};
