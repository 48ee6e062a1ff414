import { describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/protocol/errors.js';
import { RETRY_EVENT } from '../../src/protocol/names.js';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { Asker, asker } from '../entities/asker.js';
import { shelf } from '../entities/box.js';
import { box } from '../entities/workflows.js';
import { seeds } from '../support/seeds.js';

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

/** Goes on until the first attempt has failed. */
async function betweenAttempts(sim: Simulation): Promise<void> {
  const waits = () => {
    const { attempt, running } = sim.read(Asker, 'a');
    return attempt === 1 && running === undefined;
  };
  while (!waits()) await sim.advance('100ms');
}

const done = { state: 'Done', properties: { heard: ['settled', 'settled'] } };
/** An attempt comes after two seconds, and a call whose answer was lost is made again after some more. */
const SOON_MS = 25_000;
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
      await betweenAttempts(sim);
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
