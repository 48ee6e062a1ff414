import { describe, expect, it } from 'vitest';
import type { AnswerAddress } from '../../src/definition/index.js';
import { Rejected } from '../../src/protocol/errors.js';
import { EXTEND_EVENT, REVOKE_EVENT } from '../../src/protocol/names.js';
import { fakeResource, simulate, type Simulation } from '../../src/simulation/index.js';
import { cashiers, Invoice, invoice } from '../entities/invoice.js';
import { approvals, Order, order } from '../entities/order.js';
import { seeds } from '../support/seeds.js';

const DAY = 24 * 60 * 60 * 1_000;
const yes = { output: { by: 'ann' } };
const codeOf = (thrown: unknown) => (thrown instanceof Rejected ? thrown.code : thrown);

/** An order that waits for its approval, and the id of the question. */
async function asked(seed: number, faults = {}) {
  const resources = [fakeResource(approvals, { ask: () => undefined, book: () => ({}) })];
  const sim = simulate([order], { seed, resources, faults });
  await sim.create(Order, 'o', 'place', { amount: 5 });
  await sim.advance('1s');
  const { id, until } = sim.read(Order, 'o').callbacks!.at(-1)!;
  return { sim, id, until };
}

/** An invoice that waits for its payment, and its address. */
async function billed() {
  const addresses: AnswerAddress[] = [];
  const bill = fakeResource(cashiers, {
    bill: ({ paid }) => {
      addresses.push(paid);
      return {};
    },
  });
  const sim = simulate([invoice], { resources: [bill] });
  await sim.create(Invoice, 'i', 'place', { amount: 7 });
  await sim.settle();
  return { sim, address: addresses.at(-1)! };
}

const extend = (sim: Simulation, callback: string, until: number) =>
  sim.raiseAny(Order, 'o', EXTEND_EVENT, { params: { callback, until } });
const revoke = (sim: Simulation, callback: string) => sim.raiseAny(Order, 'o', REVOKE_EVENT, { params: { callback } });

describe('what an operator does about an answer that is awaited (A1, A2)', () => {
  it.each(seeds(5))('puts its time off, while its action waits for it, with seed %i (oversight.1)', async (seed) => {
    const { sim, id, until } = await asked(seed, { rollOver: 0.3 });
    await extend(sim, id, until + DAY);
    expect(sim.read(Order, 'o').running?.awaits).toMatchObject([{ wait: id, until: until + DAY }]);
    await sim.advance('60h');
    expect(sim.read(Order, 'o').running?.awaits).toMatchObject([{ wait: id }]);
    await sim.answer(Order, 'o', approvals.ask, yes);
    await sim.settle();
    expect(sim.read(Order, 'o')).toMatchObject({ state: 'Approved', properties: { by: 'ann' } });
  });

  it('ends it at the time to which it was put off', async () => {
    const { sim, id, until } = await asked(1);
    await extend(sim, id, until + DAY);
    await sim.advance('73h');
    // It has failed, and its next attempt asks anew.
    expect(sim.read(Order, 'o')).toMatchObject({ lastError: { code: 'call_timed_out' } });
    expect(sim.read(Order, 'o').callbacks).toMatchObject([{ round: 2 }]);
  });

  it('gives it up, so that the action fails and the address is closed', async () => {
    const { sim, id } = await asked(1);
    const question = { id, until: 0, of: sim.read(Order, 'o') };
    await revoke(sim, id);
    await sim.advance('1s');
    expect(sim.read(Order, 'o')).toMatchObject({ lastError: { code: 'call_revoked' } });
    const { type, key, life } = question.of;
    expect(await sim.answerRound({ ...question, of: { type, key, life } }, yes).catch(codeOf)).toBe('callback_closed');
  });

  it('does the same again without a change (oversight.2)', async () => {
    const { sim, id, until } = await asked(1);
    await extend(sim, id, until + DAY);
    await extend(sim, id, until + DAY);
    await revoke(sim, id);
    await revoke(sim, id);
    await sim.advance('100ms');
    expect(sim.read(Order, 'o')).toMatchObject({ lastError: { code: 'call_revoked' } });
  });

  it('is refused for a sooner time, for what nobody waits for, and for what it cannot mean', async () => {
    const { sim, id, until } = await asked(1);
    const refusal = (raised: Promise<unknown>) => raised.then(() => 'taken', codeOf);
    expect(await refusal(extend(sim, id, until - 1))).toBe('invalid_parameters');
    expect(await refusal(extend(sim, 'another', until + 1))).toBe('callback_closed');
    expect(await refusal(sim.raiseAny(Order, 'o', REVOKE_EVENT, { params: {} }))).toBe('invalid_parameters');
    await sim.answer(Order, 'o', approvals.ask, yes);
    expect(await refusal(revoke(sim, id))).toBe('callback_closed');
  });

  it('puts off the time of an address, in the hands of those who have it already', async () => {
    const { sim, address } = await billed();
    const params = { callback: address.id, until: address.until + DAY };
    await sim.raiseAny(Invoice, 'i', EXTEND_EVENT, { params });
    await sim.advance('36h');
    await sim.answerRound(address, yes);
    await sim.settle();
    expect(sim.read(Invoice, 'i')).toMatchObject({ state: 'Paid', properties: { by: 'ann' } });
  });

  it('closes an address, and one whose time is over is closed by itself', async () => {
    const { sim, address } = await billed();
    await sim.raiseAny(Invoice, 'i', REVOKE_EVENT, { params: { callback: address.id } });
    expect(await sim.answerRound(address, yes).catch(codeOf)).toBe('callback_closed');
    const other = await billed();
    await other.sim.advance('25h');
    expect(await other.sim.answerRound(other.address, yes).catch(codeOf)).toBe('callback_closed');
  });
});
