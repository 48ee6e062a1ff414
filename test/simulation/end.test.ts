import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, deleted, implementActions, initial, stable, terminal } from '../../src/definition/index.js';
import { describeEnd } from '../../src/simulation/end.js';
import { simulate, type Fault } from '../../src/simulation/index.js';

const Spark = defineEntity('Spark', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(stable({ health: 'error' })), Lit: stable(), Gone: deleted() },
  events: { light: { in: 'Absent' }, fail: { in: 'Absent' }, vanish: { in: ['Absent', 'Lit'] } },
  actions: {
    light: { on: 'light', in: 'Absent', to: 'Lit' },
    fail: { on: 'fail', in: 'Absent', to: 'Lit' },
    vanish: { on: 'vanish', in: ['Absent', 'Lit'], to: 'Gone' },
  },
});

const spark = implementActions(Spark, {
  light: async (app) => app.goTo('Lit'),
  fail: async () => {
    throw new Error('It does not light.');
  },
  vanish: async (app) => app.goTo('Gone'),
});

const Flint = defineEntity('Flint', {
  key: z.string(),
  properties: z.object({}),
  states: { Absent: initial(), Worn: terminal(), Gone: deleted() },
  events: { strike: { in: 'Absent' }, wear: { in: 'Absent' } },
  actions: {
    strike: { on: 'strike', in: 'Absent', to: 'Gone' },
    wear: { on: 'wear', in: 'Absent', to: 'Worn' },
  },
});

describe('the end of a simulation', () => {
  /** The end after an entity has created a successor with an event, and settled at once by its own. */
  async function endAfter(own: 'strike' | 'wear', event: 'light' | 'fail' | 'vanish', fault?: Fault) {
    const flint = implementActions(Flint, {
      strike: async (app) => {
        app.create(Spark, 's', event);
        return app.goTo('Gone');
      },
      wear: async (app) => {
        app.create(Spark, 's', event);
        return app.goTo('Worn');
      },
    });
    const sim = simulate([flint, spark], { order: 'in-order' });
    if (fault) sim.inject({ at: { entity: 'Spark/s', message: 'report' }, fault });
    await sim.create(Flint, 'f', own);
    await sim.settle();
    return describeEnd(sim);
  }

  it.each(['light', 'fail', 'vanish'] as const)(
    'does not depend on which reports a deleted entity still heard: one of %s (S1.3, S4.4)',
    async (event) => {
      expect(await endAfter('strike', event, 'delay')).toEqual(await endAfter('strike', event));
    },
  );

  it('tells the outcomes that a terminal entity knows, however late they came (S1.3, S4.4)', async () => {
    const late = await endAfter('wear', 'fail', 'delay');
    expect(late.entities['Flint/f']!.successors).toEqual({ 'Spark/s': ['settled', 'Absent'] });
    expect(late).toEqual(await endAfter('wear', 'fail'));
  });
});
