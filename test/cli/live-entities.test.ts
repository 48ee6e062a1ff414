import { expect, it } from 'vitest';
import { callReeve } from '../support/reeve-call.js';

/** Nothing runs: a mistake is told before anything is asked. */
const live = (...args: readonly string[]) =>
  callReeve(['entities', ...args], { TEMPORAL_ADDRESS: '127.0.0.1:1', REEVE_API: undefined });

it('reeve entities --live says which states there are, where none has the name (S5.2, S6.3)', async () => {
  expect(await live('LogicalServer', '--live', '--state', 'Redy')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--state: LogicalServer has no state 'Redy'\. Did you mean 'Ready'\? It has: \w+, /),
  });
  expect(await live('--live', '--state', 'Redy')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^--state: no type has a state 'Redy'\. Did you mean 'Ready'\? There are: \w+, /),
  });
  expect(await live('Servr', '--live', '--state', 'Ready')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("There is no entity type 'Servr'"),
  });
});
