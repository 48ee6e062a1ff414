import type { Command } from 'commander';
import { definePayloadKeysCreate } from './create.js';
import { definePayloadKeysList } from './list.js';
import { definePayloadKeysRenew } from './renew.js';
import { definePayloadKeysDestroy } from './destroy.js';
import { definePayloadKeysRotate } from './rotate.js';

/** `reeve payload-keys`: the keys by which payloads are encrypted. Q5 */
export function definePayloadKeys(program: Command): void {
  const keys = program
    .command('payload-keys')
    .description(
      'manage the keys that encrypt payloads in Temporal and the store; they are in the file REEVE_PAYLOAD_KEYS, or in the data directory',
    );
  const commands = [
    definePayloadKeysCreate,
    definePayloadKeysList,
    definePayloadKeysRotate,
    definePayloadKeysRenew,
    definePayloadKeysDestroy,
  ];
  for (const define of commands) define(keys);
}
