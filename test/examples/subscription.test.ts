import { fakeResource, ResourceError, simulate, type Simulation } from 'reeve/simulation';
import { beforeEach, describe, expect, it } from 'vitest';
import { payments, Subscription, subscription } from '../../examples/subscription/subscription.js';

let sim: Simulation;
let isDeclined = false;
beforeEach(async () => {
  isDeclined = false;
  const charge = () => {
    if (isDeclined) throw new ResourceError('declined', 'The card was declined.');
    return {};
  };
  sim = simulate([subscription], { resources: [fakeResource(payments, { charge })] });
  await sim.result(await sim.create(Subscription, 'ann', 'create', { construct: { price: 9 } }));
});

const read = () => sim.read(Subscription, 'ann');
const paidPeriods = () => sim.calls.filter(({ error }) => error === undefined).map(({ input }) => input);

describe('examples/subscription', () => {
  it('is charged once for each period of 30 days', async () => {
    await sim.advance('61d');
    expect(paidPeriods()).toEqual([1, 2, 3].map((period) => ({ customer: 'ann', period, price: 9 })));
    expect(read()).toMatchObject({ state: 'Active', properties: { periods: 3 } });
  });

  it('is used until the end of what is paid after a cancel, and not charged again', async () => {
    await sim.advance('10d');
    await sim.raise(Subscription, 'ann', 'cancel');
    await sim.advance('19d');
    expect(read().state).toBe('Ending');
    await sim.advance('2d');
    expect(read().state).toBe('Ended');
    expect(paidPeriods()).toHaveLength(1);
  });

  it('is past due after three declined charges, and goes on when it is paid', async () => {
    isDeclined = true;
    await sim.advance('31d');
    expect(read()).toMatchObject({ state: 'PastDue', failure: { code: 'declined' } });
    isDeclined = false;
    await sim.raise(Subscription, 'ann', 'pay');
    await sim.advance('1h');
    expect(read()).toMatchObject({ state: 'Active', properties: { periods: 2 } });
  });

  it('ends when it is not paid for 14 days', async () => {
    isDeclined = true;
    await sim.advance('45d');
    expect(read().state).toBe('Ended');
  });
});
