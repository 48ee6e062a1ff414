import type { Command } from 'commander';
import { defineOperationsExplain } from '../explain.js';
import { defineOperationsCancel } from './cancel.js';
import { defineOperationsFollow } from './follow.js';
import { defineOperationsList } from './list.js';
import { defineOperationsRunning } from './running.js';
import { defineOperationsShow } from './show.js';
import { defineOperationsSummary } from './summary.js';

/** `reeve operations`, with what can be asked of them. */
export function defineOperations(program: Command): void {
  const operations = program
    .command('operations')
    .description('list, count, show, follow, explain and cancel operations');
  for (const define of [
    defineOperationsList,
    defineOperationsRunning,
    defineOperationsSummary,
    defineOperationsShow,
    defineOperationsFollow,
    defineOperationsExplain,
    defineOperationsCancel,
  ]) {
    define(operations);
  }
}
