import { DefaultLogger } from '@temporalio/worker';
import { serveCalls } from '../../src/temporal/providers/serve.js';
import { implementResource } from '../../src/temporal/resources.js';
import { apart } from './contract.js';
import { misbehave } from './misbehave.js';

/* The process of providers that misbehave. */
serveCalls({
  resources: [implementResource(apart, { odd: ({ kind }) => misbehave(kind) })],
  callbacks: undefined,
  log: new DefaultLogger('ERROR') as never,
  stray: (thrown) => console.error(thrown),
});
