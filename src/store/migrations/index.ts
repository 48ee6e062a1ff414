import type { Migration } from 'kysely';
import { tables } from './0001-tables.js';
import { repeatedTransitions } from './0003-repeated-transitions.js';

/** What has made the tables what they are, in order. One that has been released is never changed. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-tables': tables,
  '0003-repeated-transitions': repeatedTransitions,
};
