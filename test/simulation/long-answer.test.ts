import { describe, expect, it } from 'vitest';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { Rejected } from '../../src/protocol/errors.js';
import { Order, order, approvals } from '../entities/order.js';
import { seeds } from '../support/seeds.js';

describe('an action that waits for days (A1)', () => {
  it.each(seeds(5))('goes on in new runs while 5,000 events come, and ends once, with seed %i', async (seed) => {
    const booked: string[] = [];
    const fakes = fakeResource(approvals, {
      ask: () => undefined,
      book: (_, { idempotencyKey }) => {
        booked.push(idempotencyKey);
        return {};
      },
    });
    const sim = simulate([order], { resources: [fakes], seed });
    await sim.create(Order, 'o', 'place', { amount: 5 });
    await sim.advance('1s');
    for (let count = 0; count < 5_000; count++) {
      await sim.signal(Order, 'o', 'place', { amount: 6 }).catch((thrown: unknown) => {
        if (!(thrown instanceof Rejected)) throw thrown;
      });
      if (count % 100 === 0) await sim.advance('1s');
    }
    const handedOver = sim.trace.filter((line) => line.includes('Order/o') && line.includes('continues as new'));
    expect(handedOver.length).toBeGreaterThan(1);
    await sim.answer(Order, 'o', approvals.ask, { output: { by: 'ann' } });
    await sim.settle();
    expect(sim.read(Order, 'o')).toMatchObject({ state: 'Approved', properties: { by: 'ann' } });
    expect(sim.calls.filter(({ call }) => call === 'approvals.ask')).toHaveLength(1);
    expect(booked).toHaveLength(1);
  });
});
