import { z } from 'zod';
import { defineEntity, implementActions, initial, stable, terminal, unstable } from '../../src/definition/index.js';
import { Box } from '../entities/box.js';

/** A thing whose actions go wrong in every way. */
export const Meter = defineEntity('Meter', {
  key: z.string(),
  properties: z.object({ value: z.number().default(0), heard: z.string().optional() }),
  states: {
    Low: initial(stable({ constraint: z.object({ properties: z.object({ value: z.number().max(10) }) }) })),
    Straining: unstable({
      retry: { attempts: 3, delay: '500ms', growth: 1, exhausted: 'Retired' },
      deadline: { after: '200ms', raise: 'hurry' },
    }),
    Retired: terminal(),
  },
  events: {
    set: { params: z.object({ value: z.number() }), in: 'Low' },
    stray: { in: 'Low' },
    ask: { params: z.object({ box: z.string() }), in: 'Low' },
    retire: { in: 'Low' },
    strain: { in: 'Low' },
    hurry: { in: 'Straining', internal: true },
  },
  actions: {
    set: { on: 'set', in: 'Low', to: 'Low' },
    stray: { on: 'stray', in: 'Low', to: 'Low' },
    ask: { on: 'ask', in: 'Low', to: 'Low' },
    retire: { on: 'retire', in: 'Low', to: 'Retired' },
    strain: { on: 'strain', in: 'Low', to: 'Straining' },
    pull: { in: 'Straining', to: 'Low' },
    hurry: { on: 'hurry', in: 'Straining', to: 'Low' },
  },
});

export const meter = implementActions(Meter, {
  retire: async (app) => app.goTo('Retired'),
  set: async (app, { params }) => {
    app.properties.value = params.value;
    return app.goTo('Low');
  },
  strain: async (app) => app.goTo('Straining'),
  pull: async () => {
    throw new Error('It is stuck.');
  },
  hurry: async () => {
    throw new Error('It is still stuck.');
  },
  // A mistake that a program without a compiler could make.
  stray: async (app) => app.goTo('Nowhere' as 'Low'),
  ask: async (app, { params }) => {
    const box = [Box, params.box, 'relabel', { label: 'asked' }] as const;
    const heard = await app.raiseAndWait(...box, { within: '400ms' }).catch((thrown: { code: string }) => thrown.code);
    app.properties.heard = typeof heard === 'string' ? heard : heard.status;
    return app.goTo('Low');
  },
});

/** The same declaration with other actions: nothing else has to change. S3.9 */
export const doubledMeter = implementActions(Meter, {
  ...meter.actions,
  set: async (app, { params }) => {
    app.properties.value = params.value * 2;
    return app.goTo('Low');
  },
});
