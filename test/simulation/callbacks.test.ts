import { describe, expect, it } from 'vitest';
import { crashPoints, fakeResource, ResourceError, simulate, type Simulation } from '../../src/simulation/index.js';
import type { CallbackQuestion } from '../../src/protocol/callback.js';
import { Rejected } from '../../src/protocol/errors.js';
import { Order, order, approvals } from '../entities/order.js';
import { seeds } from '../support/seeds.js';

type Fakes = Parameters<typeof fakeResource<typeof approvals>>[1];
type Ask = Fakes['ask'];

/** Orders whose question goes to somebody who answers as a test says. */
function orders(ask: Ask = () => undefined, book: Fakes['book'] = () => ({}), seed = 1): Simulation {
  return simulate([order], { resources: [fakeResource(approvals, { ask, book })], seed });
}

/** One that waits for its answer. */
async function asked(sim: Simulation): Promise<Simulation> {
  await sim.create(Order, 'o', 'place', { amount: 5 });
  await sim.advance('1s');
  return sim;
}

const yes = { output: { by: 'ann' } };
const no = { error: { code: 'refused', message: 'too dear' } };
const codeOf = (thrown: unknown) => (thrown instanceof Rejected ? thrown.code : thrown);
const askings = (sim: Simulation) => sim.calls.filter(({ call }) => call === 'approvals.ask');
/** The question that is asked now. */
function questionOf(sim: Simulation): CallbackQuestion {
  const { life, callbacks = [] } = sim.read(Order, 'o');
  const { id, until } = callbacks.at(-1)!;
  return { id, until, of: { type: 'Order', key: 'o', life } };
}

const state = (sim: Simulation) => sim.read(Order, 'o').state;

describe('a call that is answered from outside (A1)', () => {
  it.each(seeds(5))(
    'goes on when the answer has come, days later, as after any call (A7), with seed %i',
    async (seed) => {
      const sim = await asked(orders(undefined, undefined, seed));
      await sim.advance('1d');
      expect(sim.read(Order, 'o').running?.awaits).toMatchObject([{ kind: 'answer', on: 'approvals.ask' }]);
      await sim.answer(Order, 'o', approvals.ask, yes);
      await sim.settle();
      expect(sim.read(Order, 'o')).toMatchObject({ state: 'Approved', properties: { by: 'ann' } });
      expect(sim.read(Order, 'o').callbacks).toBeUndefined();
      expect(askings(sim)).toHaveLength(1);
    },
  );

  it('belongs to an entity whose key has the sign that begins its life in idempotency keys', async () => {
    const sim = orders();
    await sim.create(Order, 'o#1', 'place', { amount: 5 });
    await sim.advance('1s');
    await sim.answer(Order, 'o#1', approvals.ask, yes);
    await sim.settle();
    expect(sim.read(Order, 'o#1').state).toBe('Approved');
  });

  it('throws the failure that was answered into the action, with its code', async () => {
    const sim = await asked(orders());
    await sim.answer(Order, 'o', approvals.ask, no);
    await sim.settle();
    expect(sim.read(Order, 'o')).toMatchObject({ state: 'Refused', properties: { why: 'too dear' } });
  });

  it('takes the same answer again for the same, and refuses another one (A2, callback.1)', async () => {
    const sim = await asked(
      orders(undefined, () => {
        throw new ResourceError('down', 'the books are closed');
      }),
    );
    await sim.answer(Order, 'o', approvals.ask, yes);
    await sim.answer(Order, 'o', approvals.ask, yes);
    const another = sim.answer(Order, 'o', approvals.ask, { output: { by: 'bob' } });
    expect(await another.catch(codeOf)).toBe('request_conflict');
  });

  it('serves later attempts with the answer, and asks nobody again (callback.2)', async () => {
    let tries = 0;
    const sim = await asked(
      orders(undefined, () => {
        if (++tries < 3) throw new ResourceError('down', 'the books are closed');
        return {};
      }),
    );
    await sim.answer(Order, 'o', approvals.ask, yes);
    await sim.settle();
    expect([state(sim), tries, askings(sim).length]).toEqual(['Approved', 3, 1]);
  });

  it('asks in a new round after the time limit, and closes the address of the one before (callback.2)', async () => {
    const sim = await asked(orders());
    const first = questionOf(sim);
    await sim.advance('49h');
    expect(sim.read(Order, 'o')).toMatchObject({ attempt: 2, callbacks: [{ round: 2 }] });
    expect(await sim.answerRound(first, yes).catch(codeOf)).toBe('callback_closed');
    await sim.answer(Order, 'o', approvals.ask, yes);
    await sim.settle();
    expect(state(sim)).toBe('Approved');
    expect(new Set(askings(sim).map(({ idempotencyKey }) => idempotencyKey)).size).toBe(1);
  });

  it('comes to an end when nobody ever answers (callback.2)', async () => {
    const sim = await asked(orders());
    await sim.settle();
    expect(state(sim)).toBe('Refused');
    expect(askings(sim)).toHaveLength(3);
  });

  it('is asked in a new round when the answer is not what the call gives', async () => {
    const sim = await asked(orders());
    await sim.answer(Order, 'o', approvals.ask, { output: { by: 7 } } as never);
    await sim.advance('5s');
    expect(sim.read(Order, 'o')).toMatchObject({ attempt: 2, callbacks: [{ round: 2 }] });
    expect(sim.read(Order, 'o').lastError?.code).toBe('invalid_output');
  });

  it('is closed when the action is aborted, or the state is left (callback.3)', async () => {
    const sim = await asked(orders());
    const question = questionOf(sim);
    await sim.raise(Order, 'o', 'withdraw');
    await sim.settle();
    expect(state(sim)).toBe('Withdrawn');
    const late = sim.answerRound(question, yes);
    expect(await late.catch(codeOf)).toBe('callback_closed');
  });

  it('counts an answer that comes before the provider has returned, also when that fails then', async () => {
    const sim = await asked(
      orders((_, { answer }) => {
        answer(yes);
        throw new ResourceError('unsure', 'was it asked?');
      }),
    );
    await sim.settle();
    // The answer was on its way while the failure came first or the other way round: the action ends well in any case.
    expect(state(sim)).toBe('Approved');
  });

  it('refuses what is no answer, and an answer of which nothing is known', async () => {
    const sim = await asked(orders());
    const question = questionOf(sim);
    expect(await sim.answerRound(question, { nothing: 1 } as never).catch(codeOf)).toBe('invalid_parameters');
    const broken = {
      get by(): never {
        throw new Error('broken');
      },
    };
    expect(await sim.answerRound(question, { output: broken }).catch(codeOf)).toBe('invalid_parameters');
    expect(await sim.answerRound({ ...question, id: 'made-up' }, yes).catch(codeOf)).toBe('callback_closed');
    expect(sim.read(Order, 'o').running?.action).toBe('approve');
  });

  it('is refused where its provider gives what is no JSON, and awaited further (S1.5a)', async () => {
    const sim = await asked(orders((_, { answer }) => answer({ output: { by: 5n as never } })));
    await sim.advance('1h');
    expect(sim.read(Order, 'o').running?.action).toBe('approve');
    await sim.answer(Order, 'o', approvals.ask, yes);
    await sim.settle();
    expect(state(sim)).toBe('Approved');
  });

  it('comes to the same end wherever a worker dies (L7)', async () => {
    const scenario = async (sim: Simulation) => {
      await sim.create(Order, 'o', 'place', { amount: 5 });
      await sim.settle();
    };
    const resources = () => [fakeResource(approvals, { ask: (_, { answer }) => answer(yes, 5_000), book: () => ({}) })];
    const report = await crashPoints([order], { resources, scenario });
    expect(report.differences).toEqual([]);
    expect(report.runs).toBeGreaterThan(10);
  });
});
