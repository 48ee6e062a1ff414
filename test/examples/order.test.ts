import { fakeResource, ResourceError, simulate, type FakeCalls } from 'reeve/simulation';
import { describe, expect, it } from 'vitest';
import { Order, orderActions, parcels, payments, stock } from '../../examples/order/order.js';

const done = () => ({});
const fails = () => {
  throw new ResourceError('unavailable', 'Nobody is there.');
};

/** Orders a lamp. Returns where the order ends, and the calls that took effect. */
async function order(
  fakes: { send?: FakeCalls<typeof parcels>['send']; charge?: () => object; refund?: () => object } = {},
) {
  const { send = () => ({ number: 'P-1' }), charge = done, refund = done } = fakes;
  const sim = simulate([orderActions], {
    resources: [
      fakeResource(stock, { reserve: done, release: done }),
      fakeResource(payments, { charge, refund }),
      fakeResource(parcels, { send }),
    ],
  });
  const created = await sim.create(Order, 'o1', 'create', { construct: { item: 'lamp', amount: 40 } });
  const { outcome } = await sim.result(created);
  const calls = sim.calls.filter(({ error }) => error === undefined).map(({ call }) => call);
  return { outcome, state: sim.read(Order, 'o1').state, calls };
}

describe('examples/order', () => {
  it('is reserved, paid and sent', async () => {
    const calls = ['stock.reserve', 'payments.charge', 'parcels.send'];
    expect(await order()).toEqual({ outcome: 'success', state: 'Sent', calls });
  });

  it('is refunded and released when it cannot be sent', async () => {
    const calls = ['stock.reserve', 'payments.charge', 'payments.refund', 'stock.release'];
    expect(await order({ send: fails })).toEqual({ outcome: 'failed', state: 'Canceled', calls });
  });

  it('is undone from the step that failed, which may have taken effect', async () => {
    const calls = ['stock.reserve', 'payments.refund', 'stock.release'];
    expect(await order({ charge: fails })).toEqual({ outcome: 'failed', state: 'Canceled', calls });
  });

  it('is undone although the undo fails for a while', async () => {
    let failures = 20;
    const refund = () => (failures-- > 0 ? fails() : {});
    expect(await order({ send: fails, refund })).toMatchObject({ outcome: 'failed', state: 'Canceled' });
  });
});
