import { describe, expect, it } from 'vitest';
import type { AnyImplementation } from '../../src/definition/index.js';
import { comeToRest, describeEnd } from '../../src/simulation/end.js';
import { fakeResource, Simulation, type FakeResource } from '../../src/simulation/index.js';
import { worldOf } from '../../src/simulation/simulation.js';
import { account, clerk } from '../entities/bank-workflows.js';
import { Account, Clerk } from '../entities/bank.js';
import { shelf } from '../entities/box.js';
import { approvals, order, Order, purchaser, Purchaser } from '../entities/order.js';

interface Scenario {
  readonly entities: readonly AnyImplementation[];
  readonly resources: () => readonly FakeResource[];
  readonly play: (sim: Simulation) => Promise<void>;
}

const bank = (raise: (sim: Simulation) => Promise<unknown>): Scenario => ({
  entities: [account, clerk],
  resources: () => [fakeResource(shelf, { put: () => ({ place: 1 }), look: () => ({ place: 1 }) })],
  play: async (sim) => {
    for (const key of ['a', 'b']) await sim.create(Account, key, 'open');
    await raise(sim);
    await sim.advance('1m');
  },
});

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'two answers from outside, waited for by way of two entities': {
    entities: [order, purchaser],
    resources: () => [fakeResource(approvals, { ask: () => undefined, book: () => ({}) })],
    play: async (sim) => {
      await sim.create(Purchaser, 'p', 'buy', { within: '1d' });
      await sim.advance('1s');
      await sim.answer(Order, 'p-two', approvals.ask, { error: { code: 'refused', message: 'too dear' } });
      await sim.advance('1s');
      await sim.answer(Order, 'p-one', approvals.ask, { output: { by: 'ann' } });
      await sim.advance('1s');
    },
  },
  'two reservations, an event that is waited for, and a promise': bank((sim) =>
    sim.create(Clerk, 'c', 'transfer', { from: 'a', to: 'b', amount: 5 }),
  ),
  'a reservation, a call, and an event that sets off something': bank((sim) =>
    sim.create(Clerk, 'c', 'ponder', { account: 'a', lease: '10m', count: true }),
  ),
  'reservations one after the other': bank((sim) => sim.create(Clerk, 'c', 'pick', { accounts: ['a', 'b'] })),
};

/** How the scenario ends where the run of this task, by number, has become long then, and what happened. */
async function played({ entities, resources, play }: Scenario, place?: number) {
  const at = place === undefined ? {} : { crashAt: { place, fault: 'long' as const } };
  const sim = new Simulation(entities, { order: 'in-order', resources: resources(), ...at });
  await play(sim);
  await comeToRest(sim);
  const { points } = worldOf(sim).faults;
  const renewals = sim.trace.filter((line) => line.includes('continues as new'));
  return { end: describeEnd(sim), points, renewals };
}

describe('a run that has become long at whatever step (Q1, hand-over.1, awaits.4)', () => {
  it.each(Object.entries(SCENARIOS))('goes on the same in the next one: %s', async (_, scenario) => {
    const { end, points } = await played(scenario);
    const places = points.flatMap(({ kind }, place) => (kind === 'task' ? [place] : []));
    const runs = await Promise.all(places.map(async (place) => ({ place, ...(await played(scenario, place)) })));
    for (const run of runs) expect({ place: run.place, end: run.end }).toEqual({ place: run.place, end });
    expect(runs.filter(({ renewals }) => renewals.length > 0).length).toBeGreaterThan(places.length / 2);
  });

  it('ends while its action waits for others, and not only after that', async () => {
    const { entities, resources } = SCENARIOS['two answers from outside, waited for by way of two entities']!;
    const waiting: Scenario = {
      ...{ entities, resources },
      // Nobody answers.
      play: async (sim) => {
        await sim.create(Purchaser, 'p', 'buy', { within: '1d' });
        await sim.advance('1m');
        expect(sim.read(Purchaser, 'p').running?.awaits).toHaveLength(2);
      },
    };
    const { renewals } = await played(waiting, 0);
    expect(renewals.filter((line) => line.includes(' Purchaser/p '))).toHaveLength(1);
  });
});
