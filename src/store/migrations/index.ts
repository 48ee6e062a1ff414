import type { Migration } from 'kysely';
import { tables } from './0001-tables.js';

/** What has made the tables what they are, in order. One that has been released is never changed.
 * Copies have them too (A6), while their rows come from the store: so rows are changed by what they hold, not by chance or a clock. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': tables,
};
