import { describe, expect, it } from 'vitest';
import type { AnswerAddress } from '../../src/definition/index.js';
import { Rejected } from '../../src/protocol/errors.js';
import { crashPoints, fakeResource, ResourceError, simulate, type Simulation } from '../../src/simulation/index.js';
import { cashiers, Invoice, invoice } from '../entities/invoice.js';
import { seeds } from '../support/seeds.js';

type Bill = Parameters<typeof fakeResource<typeof cashiers>>[1]['bill'];

/** Invoices, and the addresses at which their payments are told, the latest last. */
function invoices(bill: Bill = () => ({}), seed = 1) {
  const addresses: AnswerAddress[] = [];
  const fakes = fakeResource(cashiers, {
    bill: (input, context) => {
      addresses.push(input.paid);
      return bill(input, context);
    },
  });
  return { sim: simulate([invoice], { resources: [fakes], seed }), addresses };
}

async function billed(of: ReturnType<typeof invoices>): Promise<AnswerAddress> {
  await of.sim.create(Invoice, 'i', 'place', { amount: 7 });
  await of.sim.settle();
  expect(state(of.sim)).toBe('Billed');
  return of.addresses.at(-1)!;
}

const ann = { output: { by: 'ann' } };
const state = (sim: Simulation) => sim.read(Invoice, 'i').state;
const codeOf = (thrown: unknown) => (thrown instanceof Rejected ? thrown.code : thrown);

describe('an address by which an event comes from outside (A2)', () => {
  it.each(seeds(5))(
    'raises it once, in a stable state that serves other events meanwhile, with seed %i',
    async (seed) => {
      const all = invoices(undefined, seed);
      const address = await billed(all);
      const { sim } = all;
      await sim.advance('12h');
      await sim.raise(Invoice, 'i', 'remind');
      await sim.settle();
      expect(sim.read(Invoice, 'i').running).toBeUndefined();
      await sim.answerRound(address, ann);
      await sim.settle();
      expect(sim.read(Invoice, 'i')).toMatchObject({ state: 'Paid', properties: { by: 'ann', reminders: 1 } });
      // The same again is the same, and another one is a conflict.
      await sim.answerRound(address, ann);
      expect(await sim.answerRound(address, { output: { by: 'bob' } }).catch(codeOf)).toBe('request_conflict');
    },
  );

  it('raises an event that is internal to everybody else', async () => {
    const all = invoices();
    await billed(all);
    expect(await all.sim.raise(Invoice, 'i', 'paid', { by: 'eve' }).catch(codeOf)).toBe('not_public');
  });

  it('keeps what comes before the action has ended, also between its attempts (address.1)', async () => {
    let tries = 0;
    const all = invoices((input, { answerAt }) => {
      if (++tries === 1) answerAt(input.paid, ann);
      if (tries < 3) throw new ResourceError('unheard', 'It is not known whether anybody was billed.');
      return {};
    });
    await all.sim.create(Invoice, 'i', 'place', { amount: 7 });
    await all.sim.settle();
    expect(all.sim.read(Invoice, 'i')).toMatchObject({ state: 'Paid', properties: { by: 'ann' } });
    // All attempts have the same address.
    expect(new Set(all.addresses.map(({ id }) => id)).size).toBe(1);
    expect(tries).toBe(3);
  });

  it('is closed when its state is left, and a new one is another address (address.2)', async () => {
    const all = invoices();
    const first = await billed(all);
    await all.sim.raise(Invoice, 'i', 'rebill');
    await all.sim.settle();
    expect(await all.sim.answerRound(first, ann).catch(codeOf)).toBe('callback_closed');
    const second = all.addresses.at(-1)!;
    expect(second.id).not.toBe(first.id);
    await all.sim.answerRound(second, ann);
    await all.sim.settle();
    expect(state(all.sim)).toBe('Paid');
  });

  it('refuses what comes after its time, a failure, and parameters that are not right', async () => {
    const all = invoices();
    const address = await billed(all);
    const { sim } = all;
    expect(await sim.answerRound(address, { output: { by: 3 } }).catch(codeOf)).toBe('invalid_parameters');
    const failure = { error: { code: 'broke', message: 'no money' } };
    expect(await sim.answerRound(address, failure).catch(codeOf)).toBe('invalid_parameters');
    await sim.advance('25h');
    expect(await sim.answerRound(address, ann).catch(codeOf)).toBe('callback_closed');
    expect(state(sim)).toBe('Billed');
  });

  it('drops what came early when the action has failed for good', async () => {
    const all = invoices((input, { answerAt, attempt: _ }) => {
      answerAt(input.paid, ann);
      throw new ResourceError('unheard', 'It is not known whether anybody was billed.');
    });
    await all.sim.create(Invoice, 'i', 'place', { amount: 7 });
    await all.sim.settle();
    expect(all.sim.read(Invoice, 'i')).toMatchObject({ state: 'Failed', waiting: [] });
    expect(all.sim.read(Invoice, 'i').addresses).toBeUndefined();
  });

  it('is the same wherever a worker dies', async () => {
    const bill: Bill = (input, { answerAt }) => {
      answerAt(input.paid, ann, 5_000);
      return {};
    };
    const scenario = async (sim: Simulation) => {
      await sim.create(Invoice, 'i', 'place', { amount: 5 });
      await sim.settle();
      await sim.advance('1m');
    };
    const resources = () => [fakeResource(cashiers, { bill })];
    const walk = await crashPoints([invoice], { resources, scenario });
    expect(walk.runs).toBeGreaterThan(10);
    expect(walk.differences).toEqual([]);
  });
});
