import { simulate, type Simulation } from 'reeve/simulation';
import { beforeEach, describe, expect, it } from 'vitest';
import { Account, account, Transfer, transfer } from '../../examples/transfer/transfer.js';

let sim: Simulation;
beforeEach(async () => {
  sim = simulate([account, transfer]);
  await sim.create(Account, 'ann', 'create', { construct: { balance: 100 } });
  await sim.create(Account, 'bob', 'create', { construct: { balance: 0 } });
});

const move = async (amount: number) => {
  const started = await sim.create(Transfer, 't1', 'create', { from: 'ann', to: 'bob', amount });
  return sim.result(started);
};
const balances = () => ['ann', 'bob'].map((key) => sim.read(Account, key).properties['balance']);

describe('examples/transfer', () => {
  it('is booked by both accounts', async () => {
    expect(await move(60)).toMatchObject({ outcome: 'success' });
    expect(balances()).toEqual([40, 60]);
  });

  it('is booked by neither account when one of them would reject it', async () => {
    await sim.raise(Account, 'bob', 'freeze');
    expect(await move(60)).toMatchObject({ outcome: 'failed' });
    expect(sim.read(Transfer, 't1')).toMatchObject({ state: 'Failed' });
    expect(balances()).toEqual([100, 0]);
  });

  it('fails when the balance is too small', async () => {
    expect(await move(101)).toMatchObject({ outcome: 'failed' });
    expect(sim.read(Transfer, 't1').failure).toMatchObject({ code: 'insufficient_funds' });
    expect(balances()).toEqual([100, 0]);
  });
});
