import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  terminal,
  unstable,
} from '../../src/definition/index.js';
import { fakeResource, simulate } from '../../src/simulation/index.js';

const oracle = defineResource('oracle', {
  ask: { input: z.object({}), output: z.object({}), answer: 'callback', within: '1m' },
});
const Seeker = defineEntity('Seeker', {
  key: z.string(),
  properties: z.object({}),
  states: { New: initial(), Asking: unstable({ retry: { delay: '1s' } }), Wise: terminal() },
  events: { seek: { in: 'New' } },
  actions: { begin: { on: 'seek', in: 'New', to: 'Asking' }, ask: { in: 'Asking', to: 'Wise' } },
});

it('the next attempt is served the answers to the same question, and makes what failed with its own key (S3.4, A1)', async () => {
  let asked = 0;
  const seeker = implementActions(Seeker, {
    begin: async (app) => app.goTo('Asking'),
    ask: async (app) => {
      for (let time = 0; time < 3; time++) await app.call(oracle.ask, {});
      return app.goTo('Wise');
    },
  });
  const fake = fakeResource(oracle, {
    ask: (_, { answer }) => {
      // The second question of the first attempt stays unanswered.
      if (++asked !== 2) answer({ output: {} });
    },
  });
  const sim = simulate([seeker], { order: 'in-order', resources: [fake] });
  await sim.create(Seeker, 's', 'seek');
  await sim.settle();
  expect(sim.read(Seeker, 's').state).toBe('Wise');
  const places = sim.calls.map(({ idempotencyKey }) => idempotencyKey.split('/').at(-1));
  expect(places).toEqual(['1', '2', '2', '3']);
});
