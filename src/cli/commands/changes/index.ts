import type { Command } from 'commander';
import { defineChangesList } from './list.js';
import { defineChangesListeners } from './listeners.js';

/** `reeve changes`: the feed of what has happened for certain. A6 */
export function defineChanges(program: Command): void {
  const changes = program.command('changes').description('the feed of changes, and its listeners');
  for (const define of [defineChangesList, defineChangesListeners]) define(changes);
}
