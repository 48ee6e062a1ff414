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
import { seeds } from '../support/seeds.js';

const finds = defineResource('finds', {
  near: { input: z.object({}), output: z.object({}), answer: 'inline' },
  far: { input: z.object({}), output: z.object({}) },
});

/** Its first action has what it wants before a call of its own is made, and the next one follows in the same task. */
const Scout = defineEntity('Scout', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Looking: unstable(), Done: terminal() },
  events: { send: { in: 'Absent' } },
  actions: { send: { on: 'send', in: 'Absent', to: 'Looking' }, look: { in: 'Looking', to: 'Done' } },
});
const scout = implementActions(Scout, {
  send: async (app) => {
    const calls = [[finds.far, {}] as const, [finds.near, {}] as const];
    await app.collect(calls, { until: 'first', within: '1m' });
    return app.goTo('Looking');
  },
  look: async (app) => {
    await app.call(finds.far, {});
    return app.goTo('Done');
  },
});

it.each(seeds(10))(
  'a call is told as that of the action that asked for it, also where another one follows in the same task (S3.4), with seed %i',
  async (seed) => {
    const fake = fakeResource(finds, { near: () => ({}), far: () => ({}) });
    const sim = simulate([scout], { resources: [fake], seed });
    await sim.create(Scout, 's', 'send');
    await sim.settle();
    expect(sim.read(Scout, 's').state).toBe('Done');
    const far = sim.calls.filter(({ call }) => call === 'finds.far');
    expect(far.map(({ action }) => action)).toContain('look');
    for (const { action, idempotencyKey } of far) expect(idempotencyKey).toContain(`/${action}/`);
    expect(new Set(far.map(({ idempotencyKey }) => idempotencyKey)).size).toBe(far.length);
  },
);
