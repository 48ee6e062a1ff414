/* The process of a provider that misbehaves as it is told, for test/temporal/provider-process.test.ts. */
import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { defineResource } from '../../dist/src/definition/resource.js';
import { serveCalls } from '../../dist/src/temporal/providers/serve.js';
import { implementResource } from '../../dist/src/temporal/resources.js';

const shape = { input: z.object({ kind: z.string() }), output: z.object({ by: z.number() }) };
const odd = defineResource('odd', { make: shape, plain: shape });

async function make({ kind }, { heartbeat, signal, attempt, progress }) {
  switch (kind) {
    case 'block':
      await delay(1);
      for (;;);
    case 'wait':
      execFileSync('sleep', ['3']);
      break;
    case 'exit':
      process.exit(3);
      break;
    case 'progress':
      heartbeat({ was: progress ?? 'none', attempt });
      break;
    case 'untilAborted':
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));
      break;
    case 'stray':
      void Promise.reject(new Error('stray'));
      break;
    case 'soon':
      await delay(2_000);
  }
  return { by: process.pid };
}
const log = () => undefined;
serveCalls({
  resources: [implementResource(odd, { make, plain: make })],
  callbacks: undefined,
  log: { log, trace: log, debug: log, info: log, warn: log, error: log },
  stray: (thrown) => process.stdout.write(`${thrown.message}\n`),
});
