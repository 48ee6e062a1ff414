import { fakeResource, ResourceError, simulate, type Simulation } from 'reeve/simulation';
import { beforeEach, describe, expect, it } from 'vitest';
import { approvals, Expense, expense } from '../../examples/approval/approval.js';

let sim: Simulation;
let created: Awaited<ReturnType<Simulation['create']>>;
let failures: number;
beforeEach(async () => {
  failures = 1;
  const ask = () => {
    if (failures-- > 0) throw new ResourceError('unavailable', 'The mail server is away.');
  };
  sim = simulate([expense], { resources: [fakeResource(approvals, { ask })] });
  created = await sim.create(Expense, 'e1', 'create', { construct: { amount: 250 } });
  await sim.advance('1d');
});

describe('examples/approval', () => {
  it('is approved by an answer from outside, a day later', async () => {
    expect(sim.read(Expense, 'e1').state).toBe('Asking');
    await sim.answer(Expense, 'e1', approvals.ask, { output: { by: 'ann' } });
    expect(await sim.result(created)).toMatchObject({ outcome: 'success' });
    expect(sim.read(Expense, 'e1')).toMatchObject({ state: 'Approved', properties: { approvedBy: 'ann' } });
  });

  it('is refused: the caller gets the reason, and no operator is asked for help', async () => {
    await sim.answer(Expense, 'e1', approvals.ask, { error: { code: 'refused', message: 'Take the train.' } });
    const { outcome, errors } = await sim.result(created);
    expect(outcome).toBe('failed');
    expect(errors).toMatchObject([{ code: 'refused', message: 'Take the train.' }]);
    expect(sim.read(Expense, 'e1').state).toBe('Refused');
  });

  it('expires after two days, and takes no answer any more', async () => {
    await sim.advance('30h');
    expect(sim.read(Expense, 'e1').state).toBe('Expired');
    const late = sim.answer(Expense, 'e1', approvals.ask, { output: { by: 'ann' } });
    await expect(late).rejects.toThrow();
    expect(sim.read(Expense, 'e1').state).toBe('Expired');
  });
});
