import type { Command } from 'commander';
import { defineCallbacksAnswer } from './answer.js';
import { defineCallbacksExtend } from './extend.js';
import { defineCallbacksList } from './list.js';
import { defineCallbacksRevoke } from './revoke.js';

/** `reeve callbacks`: what entities await from outside. A1, A2 */
export function defineCallbacks(program: Command): void {
  const callbacks = program.command('callbacks').description('pending callbacks: list, answer, extend and revoke them');
  for (const define of [defineCallbacksList, defineCallbacksAnswer, defineCallbacksExtend, defineCallbacksRevoke])
    define(callbacks);
}
