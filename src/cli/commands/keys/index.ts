import type { Command } from 'commander';
import { defineKeysCreate } from './create.js';
import { defineKeysList } from './list.js';
import { defineKeysRevoke } from './revoke.js';

/** `reeve keys`: who may use the management service with an API key. S6.5 */
export function defineKeys(program: Command): void {
  const keys = program
    .command('keys')
    .description('manage API keys of the management service, in the file REEVE_API_KEYS');
  for (const define of [defineKeysCreate, defineKeysList, defineKeysRevoke]) define(keys);
}
