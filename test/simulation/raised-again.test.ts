import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, unstable } from '../../src/definition/index.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { Box, shelf } from '../entities/box.js';
import { box } from '../entities/workflows.js';
import { seeds } from '../support/seeds.js';

/** Asks a box in each attempt, in one entry into the state: the box is asked once. Other events come meanwhile. */
const Asker = defineEntity('Asker', {
  key: z.string(),
  properties: z.object({ heard: z.array(z.string()).default([]) }),
  states: {
    New: initial(),
    Asking: unstable({ retry: { attempts: 2, delay: '2m', growth: 1 } }),
    Done: terminal(),
  },
  events: {
    begin: { in: 'New' },
    note: { in: 'Asking', stays: true },
    nudge: { in: 'Asking', stays: true, aborts: true },
    takeOver: { in: 'Asking', stays: true, aborts: true, interrupts: 'cancel' },
  },
  actions: {
    begin: { on: 'begin', in: 'New', to: 'Asking' },
    ask: { in: 'Asking', to: 'Done' },
    note: { on: 'note', in: 'Asking' },
    nudge: { on: 'nudge', in: 'Asking' },
    takeOver: { on: 'takeOver', in: 'Asking' },
  },
});

const asker = implementActions(Asker, {
  begin: async (app) => app.goTo('Asking'),
  ask: async (app) => {
    const placed = await app.createAndWait(Box, app.key, 'place', { label: 'red' }, { within: '1h' });
    const relabelled = await app.raiseAndWait(Box, app.key, 'relabel', { label: 'blue' }, { within: '1h' });
    await app.call(shelf.look, { name: app.key });
    app.properties.heard = [placed.status, relabelled.status];
    return app.goTo('Done');
  },
  note: async () => undefined,
  nudge: async () => undefined,
  takeOver: async () => undefined,
});

/** A shelf at which nothing can be seen until it is mended. */
function simulation(seed: number) {
  let broken = true;
  const shelves = fakeResource(shelf, {
    put: () => ({ place: 1 }),
    look: () => {
      if (broken) throw new ResourceError('dark', 'Nothing can be seen.');
      return { place: 2 };
    },
  });
  const faults = { crash: 0.05, loseAnswer: 0.05, rollOver: 0.05 };
  const sim = simulate([asker, box], { seed, resources: [shelves], faults });
  const mend = () => (broken = false);
  return { sim, mend };
}

const done = { state: 'Done', properties: { heard: ['settled', 'settled'] } };
/** An attempt comes after two minutes at most. */
const SOON_MS = 150_000;
/** An operation that is told nothing looks after its participants only after this time. */
const FIRST_LOOK_MS = 30_000;

describe('an action that raises again what it has raised for another operation', () => {
  it.each(seeds(20))('ends the operation of an operator who resumes it (S3.4, S4.2, S5.3), seed %i', async (seed) => {
    const { sim, mend } = simulation(seed);
    const begun = await sim.create(Asker, 'a', 'begin');
    expect((await sim.result(begun)).outcome).toBe('failed');
    expect(sim.read(Asker, 'a')).toMatchObject({ state: 'Asking', exhausted: true });
    mend();
    const before = sim.now;
    const resumed = await sim.raiseAny(Asker, 'a', RETRY_EVENT);
    expect((await sim.result(resumed)).outcome).toBe('success');
    expect(sim.now - before).toBeLessThan(FIRST_LOOK_MS);
    expect(sim.read(Asker, 'a')).toMatchObject(done);
    await sim.settle();
  });

  it.each(['note', 'nudge', 'takeOver'].flatMap((event) => seeds(20).map((seed) => ({ event, seed }))))(
    "ends that of '$event', which came between two attempts (S3.4, S4.2, S4.8), seed $seed",
    async ({ event, seed }) => {
      const { sim, mend } = simulation(seed);
      const begun = await sim.create(Asker, 'a', 'begin');
      await sim.advance('30s');
      mend();
      const before = sim.now;
      const noted = await sim.raiseAny(Asker, 'a', event);
      expect((await sim.result(noted)).outcome).toBe('success');
      expect((await sim.result(begun)).outcome).toBe(event === 'takeOver' ? 'canceled' : 'success');
      expect(sim.now - before).toBeLessThan(SOON_MS);
      expect(sim.read(Asker, 'a')).toMatchObject(done);
      await sim.settle();
    },
  );
});
