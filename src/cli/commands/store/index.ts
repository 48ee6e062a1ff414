import type { Command } from 'commander';
import { defineStoreMigrate } from './migrate.js';
import { defineStoreRebuild } from './rebuild.js';

/** `reeve store`, with what is done to the store as a whole. */
export function defineStore(program: Command): void {
  const store = program
    .command('store')
    .description('migrate or rebuild the store (the PostgreSQL database with the history)');
  for (const define of [defineStoreMigrate, defineStoreRebuild]) define(store);
}
