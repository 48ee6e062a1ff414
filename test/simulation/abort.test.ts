import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineEntity,
  defineResource,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { seeds } from '../support/seeds.js';

const oven = defineResource('oven', { bake: { input: z.object({}), output: z.object({}) } });
const Bread = defineEntity('Bread', {
  key: z.string(),
  properties: z.object({}),
  states: { Dough: initial(), Baking: unstable(), Baked: terminal() },
  events: {
    bake: { in: 'Dough' },
    take: { in: 'Baking', params: z.object({ by: z.string() }), busy: 'abort' },
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

const Neighbour = defineEntity('Neighbour', {
  key: z.string(),
  properties: z.object({ visits: z.number().default(0) }),
  states: { Away: initial(), Home: stable(), Gone: terminal() },
  events: {
    come: { in: 'Away' },
    visit: { in: 'Home', params: z.object({ other: z.string() }) },
    leave: { in: 'Home', busy: 'abort' },
  },
  actions: {
    come: { on: 'come', in: 'Away', to: 'Home' },
    visit: { on: 'visit', in: 'Home' },
    leave: { on: 'leave', in: 'Home', to: 'Gone' },
  },
});
const neighbour = implementActions(Neighbour, {
  come: async (app) => app.goTo('Home'),
  visit: async (app, { params }) => {
    await app.reserve(Neighbour, params.other, { within: '1m', lease: '5s' });
    app.properties.visits++;
  },
  leave: async (app) => app.goTo('Gone'),
});

it('an event that aborts ends an action that is put off, and does not wait for it to run again (S3.2, S3.6)', async () => {
  let putOff = 0;
  for (const seed of seeds(20)) {
    const sim = simulate([neighbour], { seed });
    for (const key of ['a', 'b']) await sim.result(await sim.create(Neighbour, key, 'come'));
    const visits = await Promise.all([
      sim.raise(Neighbour, 'a', 'visit', { other: 'b' }),
      sim.raise(Neighbour, 'b', 'visit', { other: 'a' }),
    ]);
    await sim.advance(20);
    const key = ['a', 'b'].find(
      (each) => sim.read(Neighbour, each).postponed && !sim.read(Neighbour, each).reservation,
    );
    if (key === undefined) continue;
    putOff++;
    const before = sim.now;
    const left = await sim.result(await sim.raise(Neighbour, key, 'leave'));
    expect(left.outcome).toBe('success');
    expect(sim.now - before).toBeLessThan(50);
    await sim.settle();
    expect(sim.read(Neighbour, key)).toMatchObject({ state: 'Gone', properties: { visits: 0 } });
    expect((await sim.result(visits[key === 'a' ? 0 : 1])).outcome).toBe('canceled');
  }
  expect(putOff).toBeGreaterThan(0);
});

const Oil = defineEntity('Oil', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Cold: initial(),
    Heating: unstable({ retry: { attempts: 1, exhausted: 'Burnt' } }),
    Hot: terminal(),
    Burnt: terminal({ health: 'error' }),
  },
  events: { heat: { in: 'Cold' }, stir: { in: 'Heating', busy: 'abort', stays: true } },
  actions: {
    begin: { on: 'heat', in: 'Cold', to: 'Heating' },
    heat: { in: 'Heating', to: 'Hot' },
    stir: { on: 'stir', in: 'Heating' },
  },
});

it('an action whose last attempt is aborted by an event that stays runs again (S3.2, S3.5)', async () => {
  const attempts: number[] = [];
  const oil = implementActions(Oil, {
    begin: async (app) => app.goTo('Heating'),
    heat: async (app) => {
      attempts.push(app.attempt);
      await app.call(oven.bake, {});
      return app.goTo('Hot');
    },
    stir: async () => undefined,
  });
  const sim = simulate([oil], { order: 'in-order', resources: [fakeResource(oven, { bake: () => ({}) })] });
  await sim.create(Oil, 'o', 'heat');
  expect((await sim.raise(Oil, 'o', 'stir')).answer).toMatchObject({ status: 'waiting', behind: 'the abort of heat' });
  await sim.settle();
  expect(sim.read(Oil, 'o').state).toBe('Hot');
  expect([...new Set(attempts)]).toEqual([1, 2]);
});
