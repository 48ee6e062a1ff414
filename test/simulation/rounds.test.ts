import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { delay, doNothing } from '../../src/components/index.js';
import {
  defineEntity,
  defineResource,
  endRecord,
  implementActions,
  initial,
  stable,
  terminal,
  unstable,
} from '../../src/definition/index.js';
import type { Description } from '../../src/definition/component-description.js';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { Carousel, carousel } from '../entities/round.js';

/** Deploys a component that ends by itself, and is deployed again. */
const Kettle = defineEntity('Kettle', {
  key: z.string(),
  properties: z.object({ boiled: z.number().default(0) }),
  states: {
    Off: initial(),
    On: stable({ deploys: 'heat', ended: 'over' }),
    Again: unstable({ wait: '1s', retry: { attempts: 1, exhausted: 'Broken' } }),
    Broken: terminal({ health: 'error' }),
  },
  events: { go: { in: 'Off' }, over: { in: 'On', internal: true, params: endRecord }, end: { in: 'On' } },
  actions: {
    go: { on: 'go', in: 'Off', to: 'On' },
    over: { on: 'over', in: 'On', to: 'Again' },
    again: { in: 'Again', to: 'On' },
    end: { on: 'end', in: 'On', to: 'Broken' },
  },
});

function kettle(heat: () => Description) {
  return implementActions(
    Kettle,
    {
      go: async (app) => app.goTo('On'),
      over: async (app) => {
        app.properties.boiled++;
        return app.goTo('Again', { wait: 0 });
      },
      again: async (app) => app.goTo('On'),
      end: async (app) => app.goTo('Broken'),
    },
    { deploys: { heat } },
  );
}

/** Its two states have the same deadline, and each leads to the other. */
const Pendulum = defineEntity('Pendulum', {
  key: z.string(),
  properties: z.object({ until: z.iso.datetime().optional(), swings: z.number().default(0) }),
  states: {
    Still: initial(),
    Left: stable({ deadline: { at: { of: 'properties.until' }, raise: 'right' } }),
    Right: stable({ deadline: { at: { of: 'properties.until' }, raise: 'left' } }),
  },
  events: { push: { in: 'Still', params: z.string() }, right: { in: 'Left' }, left: { in: 'Right' } },
  actions: {
    push: { on: 'push', in: 'Still', to: 'Left' },
    right: { on: 'right', in: 'Left', to: 'Right' },
    left: { on: 'left', in: 'Right', to: 'Left' },
  },
});
const pendulum = implementActions(Pendulum, {
  push: async (app, { params }) => {
    app.properties.until = params;
    return app.goTo('Left');
  },
  right: async (app) => {
    app.properties.swings++;
    return app.goTo('Right');
  },
  left: async (app) => app.goTo('Left'),
});

const oracle = defineResource('oracle', {
  quick: { input: z.object({}), output: z.object({}), answer: 'inline' },
  slow: { input: z.object({}), output: z.object({}) },
});
const oracles = fakeResource(oracle, { quick: async () => ({}), slow: async () => ({}) });

/** It asks two, of which one answers within the same task, and does so again. */
const Doubter = defineEntity('Doubter', {
  key: z.string(),
  properties: z.object({}),
  states: { Sure: initial(), Asking: unstable({ wait: '1s' }), Again: unstable({ wait: '1s' }), Over: terminal() },
  events: { doubt: { in: 'Sure' } },
  actions: {
    doubt: { on: 'doubt', in: 'Sure', to: 'Asking' },
    ask: { in: 'Asking', to: 'Again' },
    again: { in: 'Again', to: ['Asking', 'Over'] },
  },
});
const doubter = implementActions(Doubter, {
  doubt: async (app) => app.goTo('Asking', { wait: 0 }),
  ask: async (app) => {
    await app.collect(
      [
        [oracle.quick, {}],
        [oracle.slow, {}],
      ],
      { until: 'first', within: '1m' },
    );
    return app.goTo('Again', { wait: 0 });
  },
  again: async (app) => app.goTo('Asking', { wait: 0 }),
});

describe('what goes round', () => {
  it('comes to an end where each round drops a call before its answer (S1.5a, chain.2)', async () => {
    const sim = simulate([doubter], { resources: [oracles] });
    await sim.create(Doubter, 'd', 'doubt');
    await sim.advance('1m');
    expect(sim.read(Doubter, 'd')).toMatchObject({ exhausted: true, lastError: { code: 'infinite_loop' } });
  });

  it('comes to an end where a deadline is past whenever its state is entered (S1.5a, chain.1)', async () => {
    const sim = simulate([pendulum]);
    await sim.create(Pendulum, 'p', 'push', '2020-01-01T00:00:00Z' as never);
    await sim.advance('1m');
    expect(sim.read(Pendulum, 'p')).toMatchObject({ lastError: { code: 'infinite_loop' } });

    const later = simulate([pendulum]);
    await later.create(Pendulum, 'p', 'push', '2026-01-01T00:00:30Z' as never);
    await later.advance('20s');
    expect(later.read(Pendulum, 'p')).toMatchObject({ state: 'Left', version: 1 });
    await later.advance('20s');
    expect(later.read(Pendulum, 'p')).toMatchObject({ lastError: { code: 'infinite_loop' } });
  });

  it('goes on for as long as it likes with a pause (S1.5a)', async () => {
    const sim = simulate([carousel], { faults: { rollOver: 0.1, crash: 0.02 } });
    const result = await sim.result(await sim.create(Carousel, 'k', 'turn', { paced: true, most: 400 }));
    expect(result.outcome).toBe('success');
    expect(sim.read(Carousel, 'k')).toMatchObject({ state: 'Over', properties: { rounds: 400 } });
  });

  it('comes to an end where what is deployed ends at once, and not where that takes time (S1.5a, W1)', async () => {
    const now = simulate([kettle(() => doNothing({ time: 0 }))]);
    await now.create(Kettle, 'k', 'go');
    await now.advance('1m');
    expect(now.read(Kettle, 'k')).toMatchObject({ state: 'Broken', failure: { code: 'infinite_loop' } });

    const later = simulate([kettle(() => delay({ time: 100, action: doNothing({ time: 0 }) }))]);
    await later.create(Kettle, 'k', 'go');
    await later.advance('2s');
    const { properties, chain } = later.read(Kettle, 'k');
    expect(properties.boiled).toBeGreaterThan(10);
    expect(chain?.length).toBeLessThan(5);
  });
});
