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

const oven = defineResource('oven', { bake: { input: z.object({}), output: z.object({}) } });
const Bread = defineEntity('Bread', {
  key: z.string(),
  properties: z.object({}),
  states: { Dough: initial(), Baking: unstable(), Baked: terminal() },
  events: {
    bake: { in: 'Dough' },
    take: { in: 'Baking', params: z.object({ by: z.string() }), aborts: true },
  },
  actions: {
    begin: { on: 'bake', in: 'Dough', to: 'Baking' },
    bake: { in: 'Baking', to: 'Baked' },
    take: { on: 'take', in: 'Baking', to: 'Baked' },
  },
});
const bread = implementActions(Bread, {
  begin: async (app) => app.goTo('Baking'),
  bake: async (app) => {
    await app.call(oven.bake, {});
    return app.goTo('Baked');
  },
  take: async (app) => app.goTo('Baked'),
});

it('an event that aborts and brings what it may not bring aborts nothing, and is rejected in its turn (S2.3, S3.2)', async () => {
  const sim = simulate([bread], { order: 'in-order', resources: [fakeResource(oven, { bake: () => ({}) })] });
  const [begun, taken] = await Promise.all([
    sim.create(Bread, 'b', 'bake'),
    sim.raise(Bread, 'b', 'take', {} as { by: string }),
  ]);
  expect(taken.answer).toMatchObject({ status: 'waiting', behind: 'bake' });
  expect((await sim.result(begun)).outcome).toBe('success');
  // Born, and baked to the end.
  expect(sim.read(Bread, 'b')).toMatchObject({ state: 'Baked', version: 2 });
});
