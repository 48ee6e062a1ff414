import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineKind, maker, run } from '../../src/components/index.js';
import { defineEntity, deleted, endRecord, implementActions, initial, stable } from '../../src/definition/index.js';
import { simulate } from '../../src/simulation/index.js';
import { seeds } from '../support/seeds.js';

const nothing = z.object({});
const comesUpLate = maker('ComesUpLate', nothing);
/** Starts, and never comes up. */
const COMES_UP_LATE = defineKind({ name: 'ComesUpLate', attributes: nothing, isStarting: () => true });

const Ship = defineEntity('Ship', {
  key: z.string(),
  properties: z.object({ end: z.string().default('') }),
  states: {
    Moored: initial(),
    Sailing: stable({ deploys: 'engine', ended: 'engineEnded' }),
    Adrift: stable(),
    Scrapped: deleted(),
  },
  events: {
    sail: { in: 'Moored' },
    engineEnded: { params: endRecord, in: 'Sailing', internal: true },
    scrap: { in: 'Adrift' },
  },
  actions: {
    sail: { on: 'sail', in: 'Moored', to: 'Sailing' },
    drift: { on: 'engineEnded', in: 'Sailing', to: 'Adrift' },
    scrap: { on: 'scrap', in: 'Adrift', to: 'Scrapped' },
  },
});
const ship = implementActions(
  Ship,
  {
    sail: async (app) => app.goTo('Sailing'),
    drift: async (app, { params }) => {
      app.properties.end = params.description;
      return app.goTo('Adrift');
    },
    scrap: async (app) => app.goTo('Scrapped'),
  },
  { deploys: { engine: () => run({ action: comesUpLate({}), asName: 'engine' }) } },
);

describe('a `run` on its own (W4)', () => {
  it.each(seeds(20).flatMap((seed) => [0, 0.5].map((rollOver) => [seed, rollOver] as const)))(
    'fails if what it runs is terminated before it is up, with seed %i and the rate of new runs %d',
    async (seed, rollOver) => {
      const sim = simulate([ship], { seed, components: [COMES_UP_LATE], faults: { rollOver } });
      await sim.create(Ship, 's', 'sail');
      await sim.advance('10m');
      expect(sim.read(Ship, 's').state).toBe('Sailing');
      sim.terminateDeployment('deployment/engine');
      await sim.advance('10m');
      expect(sim.read(Ship, 's')).toMatchObject({
        state: 'Adrift',
        properties: { end: expect.stringMatching(/^its action did not start: .*deployment\/engine/) as string },
      });
    },
  );
});
