import { describe, expect, it } from 'vitest';
import { fakeResource, simulate, type Fault, type Simulation } from '../../src/simulation/index.js';
import { Auditor, BANK, books, Purse, Transfer } from '../../tools/simulation/crowd/bank.js';
import { simulateCrowd } from '../../tools/simulation/crowd/crowd.js';
import { part, seeds } from '../support/seeds.js';

/** A call whose answer is lost is made again after ten seconds: so long does a transfer take that is alone. */
const ALONE_MS = 10_000;

/** Purses with money. */
async function bank(purses: readonly string[], seed = 1, faults = {}): Promise<Simulation> {
  const sim = simulate(BANK, { seed, faults, resources: [fakeResource(books, { check: () => ({}) })] });
  for (const key of purses) await sim.create(Purse, key, 'open', { balance: 1_000 });
  await sim.settle();
  return sim;
}

const lasts = (sim: Simulation, key: string, fault: Fault = 'lose-answer') =>
  sim.inject({ at: { entity: `Transfer/${key}`, call: 'books.check' }, fault });

async function transfer(sim: Simulation, key: string, from: string, to: string, amount = 1): Promise<void> {
  await sim.create(Transfer, key, 'start', { from, to, amount });
}

/** How many messages of a kind have been delivered so far; all kinds without one. */
function messages(sim: Simulation, kind?: string): number {
  const kinds = kind ?? 'reserve|view|release|probe';
  const delivered = new RegExp(`(?<=[ ;])(${kinds})(?=;|$)`, 'g');
  return sim.trace.reduce((sum, line) => sum + (line.match(delivered)?.length ?? 0), 0);
}

/** So many wait for a purse that one has reserved, to do nothing with it. */
async function queue(count: number): Promise<Simulation> {
  const sim = await bank(['a', 'b']);
  lasts(sim, 'first');
  await transfer(sim, 'first', 'a', 'b', 0);
  await sim.advance('1s');
  for (let number = 0; number < count; number++) await transfer(sim, `t${number}`, 'a', 'b', 0);
  await sim.advance('1s');
  return sim;
}

const balance = (sim: Simulation, key: string) => sim.read(Purse, key).properties['balance'];

describe('many who wait for one entity', () => {
  it('send a probe each to its owner, whoever waits before them (S3.6, circle.3, circle.4)', async () => {
    for (const count of [2, 4, 8, 16]) {
      const sim = await queue(count);
      expect(sim.read(Purse, 'a').reservers).toHaveLength(count);
      expect(messages(sim, 'probe')).toBe(count);
    }
  });

  it('hundreds of them, each get their turn, for 12 messages each (S3.6)', async () => {
    const count = part(1_000);
    const sim = await queue(count);
    await sim.settle();
    for (const key of ['a', 'b']) expect(sim.read(Purse, key)).toMatchObject({ fence: count + 1, reservers: [] });
    for (let number = 0; number < count; number++) expect(sim.read(Transfer, `t${number}`).state).toBe('Done');
    // For each of two purses: to ask, to be granted and to release it. Two rounds of probes, of two steps.
    expect(messages(sim)).toBeLessThanOrEqual(12 * (count + 1));
  }, 300_000);

  it('get on in turn: many over 5 purses, each in at most three times the time that one takes alone (S3.6)', async () => {
    const purses = ['a', 'b', 'c', 'd', 'e'];
    for (const faults of [{}, { crash: 0.02, double: 0.1, rollOver: 0.1, until: '1h' }]) {
      const sim = await bank(purses, 1, faults);
      const startedAt = sim.now;
      const count = part(100);
      for (let number = 0; number < count; number++) {
        lasts(sim, `t${number}`);
        await transfer(sim, `t${number}`, purses[number % 5]!, purses[(number * 3 + 1) % 5]!);
      }
      await sim.settle();
      for (let number = 0; number < count; number++) expect(sim.read(Transfer, `t${number}`).state).toBe('Done');
      expect(purses.reduce((sum, key) => sum + Number(balance(sim, key)), 0)).toBe(5_000);
      expect((sim.now - startedAt) / count).toBeLessThanOrEqual(3 * ALONE_MS);
    }
  }, 300_000);

  it('send a probe once to each that they wait for, by however many ways that leads to the same (S3.8, circle.4, passed-probes.1)', async () => {
    const sim = await queue(6);
    const transfers = ['first', ...Array.from({ length: 6 }, (_, number) => `t${number}`)];
    for (const key of ['one', 'two', 'three']) await sim.construct(Auditor, key, {});
    await sim.raise(Auditor, 'one', 'audit', { transfers, auditors: [] });
    await sim.raise(Auditor, 'two', 'audit', { transfers: [], auditors: ['one'] });
    await sim.advance('100ms');
    const before = messages(sim, 'probe');
    await sim.raise(Auditor, 'three', 'audit', { transfers: [], auditors: ['two'] });
    await sim.advance('100ms');
    // To the one auditor, to the seven transfers, from six of them to the purse, and to its owner.
    expect(messages(sim, 'probe') - before).toBe(1 + 7 + 6 + 1);
    await sim.settle();
    expect(sim.read(Auditor, 'one').properties).toMatchObject({ confirmed: 7 });
  });

  it('keep every invariant with each seed, in many kinds of waits (S3.6, S3.8; `npm run simulate` takes thousands)', async () => {
    for (const seed of seeds(6)) await simulateCrowd(seed);
  }, 300_000);
});
