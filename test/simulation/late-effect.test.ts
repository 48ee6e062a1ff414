import { describe, expect, it } from 'vitest';
import { crashPoints, fakeResource, simulate, type FaultRates } from '../../src/simulation/index.js';
import { waitLines } from '../../src/cli/explanation/wait-words.js';
import { explainEntity } from '../../src/kernel/index.js';
import { cloud, Net, net } from '../entities/net.js';
import { seeds } from '../support/seeds.js';

function nets(seed = 1, faults: FaultRates = {}) {
  const there = new Set<string>();
  const make = ({ name }: { readonly name: string }) => (there.add(name), {});
  const fakes = fakeResource(cloud, { make, remove: ({ name }) => (there.delete(name), {}), look: () => ({}) });
  return { there, sim: simulate([net], { resources: [fakes], seed, faults }) };
}

describe('a call that takes effect after its action was aborted (S3.2, S1.5a, aftermath.1)', () => {
  it('is waited for before the event acts: nothing is left behind', async () => {
    const { sim, there } = nets();
    sim.inject({ at: { call: 'cloud.make' }, fault: 'late-effect' });
    await sim.create(Net, 'n', 'create');
    await sim.advance('1s');
    const taken = await sim.raise(Net, 'n', 'remove');
    expect(taken.answer).toMatchObject({ status: 'waiting', behind: 'the abort of make' });
    await sim.advance('28s');
    const snapshot = sim.read(Net, 'n');
    const { running, state } = snapshot;
    expect(state).toBe('Making');
    expect(explainEntity(Net, snapshot).flatMap((wait) => waitLines(wait, sim.now))).toEqual([
      'runs make for 29 s, attempt 1 of 3, and is being aborted',
      '  until its calls have ended, 1 min 32 s at most',
      '  calls cloud.make for 29 s',
      expect.stringContaining('remove waits behind the abort of make') as string,
    ]);
    expect(running).toMatchObject({
      action: 'make',
      aborted: true,
      endsBy: expect.any(Number) as number,
      calls: { steps: [{ call: 'cloud.make' }] },
    });
    expect(running?.calls?.steps[0]).not.toHaveProperty('endedAt');
    expect((await sim.result(taken)).outcome).toBe('success');
    expect(sim.calls.map(({ call, cancelled = false }) => [call, cancelled])).toEqual([
      ['cloud.make', true],
      ['cloud.remove', false],
    ]);
    expect(there.size).toBe(0);
    const [aborted] = sim.records.filter((each) => each.kind === 'transition' && each.outcome === 'aborted');
    const message = 'cloud.make was aborted with its action, and has ended since.';
    expect(aborted).toMatchObject({ calls: [{ call: 'cloud.make', error: { code: 'aborted', message } }] });
  });

  it('is not waited for where its declaration says so (aftermath.2)', async () => {
    const { sim } = nets();
    sim.inject({ at: { call: 'cloud.look' }, fault: 'late-effect' });
    await sim.result(await sim.create(Net, 'n', 'create'));
    await sim.raise(Net, 'n', 'look');
    await sim.advance('1s');
    const before = sim.now;
    expect((await sim.result(await sim.raise(Net, 'n', 'remove'))).outcome).toBe('success');
    expect(sim.now - before).toBeLessThan(10_000);
  });

  it('is waited for no longer than its time limit (aftermath.2)', async () => {
    const { sim } = nets();
    // Its answer is lost for good, since nobody makes a call again that was cancelled.
    sim.inject({ at: { call: 'cloud.make' }, fault: 'lose-answer' });
    await sim.create(Net, 'n', 'create');
    await sim.advance('1s');
    const before = sim.now;
    const taken = await sim.raise(Net, 'n', 'remove');
    expect((await sim.result(taken)).outcome).toBe('success');
    expect(sim.now - before).toBeGreaterThanOrEqual(120_000);
    const [aborted] = sim.records.filter((each) => each.kind === 'transition' && each.outcome === 'aborted');
    const message =
      'cloud.make was aborted with its action, and has not ended within its time limit: it may still take effect.';
    expect(aborted).toMatchObject({ calls: [{ error: { code: 'aborted', message } }] });
  });

  it.each(seeds(60))('leaves nothing behind, with faults of chance and seed %i', async (seed) => {
    const { sim, there } = nets(seed, { slow: 0.5, crash: 0.1, loseAnswer: 0.2, delay: 0.2, rollOver: 0.1 });
    await sim.create(Net, 'n', 'create');
    await sim.advance((seed % 20) * 50);
    await sim.raise(Net, 'n', 'remove').catch(() => undefined);
    await sim.settle();
    if (!sim.exists(Net, 'n')) expect(there.size).toBe(0);
  });
});

describe('crashPoints', () => {
  it('tries what aborts an action while its call is under way and takes effect late (S3.2)', async () => {
    const fakes = () => [fakeResource(cloud, { make: () => ({}), remove: () => ({}), look: () => ({}) })];
    const { aborted, differences } = await crashPoints([net], { resources: fakes });
    expect(differences).toEqual([]);
    expect(aborted).toEqual([
      'Net: create, look, and remove during cloud.make',
      'Net: create, look, and remove during cloud.look',
      'Net: create, remove, and remove during cloud.make',
    ]);
  });
});
