import { describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/protocol/errors.js';
import { fakeResource, simulate, type FaultRates } from '../../src/simulation/index.js';
import { Errand, errand } from '../entities/errand.js';
import { Daemon, files, processes } from '../entities/shop.js';
import { seeds } from '../support/seeds.js';

/** A world with one errand. So many copies fail before one succeeds. */
function world(seed: number, { failures = 0, faults = {} }: { failures?: number; faults?: FaultRates } = {}) {
  const done: string[] = [];
  const keys = new Set<string>();
  const note = (line: string, { idempotencyKey }: { idempotencyKey: string }) => {
    if (!keys.has(idempotencyKey)) done.push(line);
    keys.add(idempotencyKey);
  };
  const sim = simulate([errand], {
    ...{ seed, components: [Daemon], faults },
    resources: [
      fakeResource(files, {
        copy: ({ to }, context) => {
          if (failures-- > 0) throw new ResourceError('locked', 'The file is locked.');
          note(`copy ${to}`, context);
          return { bytes: 12 };
        },
        remove: ({ file }, context) => {
          note(`remove ${file}`, context);
          return {};
        },
      }),
      fakeResource(processes, {
        start: ({ line }, context) => {
          note(`start ${line}`, context);
          return { pid: 7 };
        },
        alive: () => true,
        stop: ({ line }, context) => {
          note(`stop ${line}`, context);
          return {};
        },
      }),
    ],
  });
  return { sim, done };
}
/** The next step begins while the process still stops. W-3 */
const WHOLE = ['copy f', 'start read f', 'stop read f', 'remove f'].sort();

describe('components that an action runs (W1)', () => {
  it.each(seeds(20))('run to their end, whatever strikes, with seed %i', async (seed) => {
    const faults = {
      crash: 0.05,
      loseAnswer: 0.05,
      slow: 0.1,
      delay: 0.1,
      double: 0.1,
      rollOver: 0.1,
      read: 0.2,
      lag: 0.1,
    };
    const { sim, done } = world(seed, { faults });
    await sim.create(Errand, 'e', 'begin', { file: 'f' });
    await sim.settle();
    expect(sim.read(Errand, 'e')).toMatchObject({ state: 'Done', properties: { end: { type: 'normal' } } });
    expect([...done].sort()).toEqual(WHOLE);
  });

  it('are tried again as they say, and give the record of their end', async () => {
    const { sim, done } = world(1, { failures: 2 });
    await sim.create(Errand, 'e', 'begin', { file: 'f' });
    await sim.settle();
    expect(sim.read(Errand, 'e').state).toBe('Done');
    expect([...done].sort()).toEqual(WHOLE);
    const other = world(1, { failures: 3 });
    await other.sim.create(Errand, 'e', 'begin', { file: 'f' });
    await other.sim.settle();
    const { state, properties } = other.sim.read(Errand, 'e');
    expect(state).toBe('Failed');
    expect(properties['end']).toMatchObject({ type: 'abnormal', component: expect.stringContaining('copy') as string });
    expect(other.done).toEqual([]);
  });

  it('are refused where they never end by themselves', async () => {
    const { sim, done } = world(1);
    const result = await sim.result(await sim.create(Errand, 'e', 'begin', { file: 'f', endless: true }));
    expect(result.errors[0]!.message).toMatch(/never ends by itself.*let a state deploy it/s);
    expect(done).toEqual([]);
  });

  it.each(seeds(10))('are ended first when the action is aborted, and clean up, with seed %i', async (seed) => {
    const { sim, done } = world(seed);
    await sim.create(Errand, 'e', 'begin', { file: 'f' });
    await sim.advance('10s');
    await sim.raise(Errand, 'e', 'stop');
    await sim.settle();
    expect(sim.read(Errand, 'e').state).toBe('Stopped');
    expect(done).toEqual(['copy f', 'start read f', 'stop read f']);
  });

  it('are calls of the action, with their places, that anyone can see (A2)', async () => {
    const { sim } = world(1);
    await sim.create(Errand, 'e', 'begin', { file: 'f' });
    await sim.advance('10s');
    expect(sim.read(Errand, 'e').running?.calls?.steps).toMatchObject([
      { call: 'files.copy', place: 10_001 },
      { call: 'processes.start', place: 10_002 },
    ]);
    await sim.settle();
  });
});
