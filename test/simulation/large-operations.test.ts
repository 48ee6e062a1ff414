import { describe, expect, it } from 'vitest';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { batch, floor, job } from '../entities/job-actions.js';
import { Batch, Floor, machines } from '../entities/job.js';
import { part } from '../support/seeds.js';

const resources = [fakeResource(machines, { work: async () => ({}) })];

describe('an operation', () => {
  it('ends when the last of hundreds of successors has, and what that sets off (S4.2)', async () => {
    const sim = simulate([job, batch], { resources });
    const jobs = Array.from({ length: part(1_000) }, (_, index) => `job-${index}`);
    const taken = await sim.create(Batch, 'large', 'run', { jobs });
    const result = await sim.result(taken);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants).toHaveLength(jobs.length + 1);
    expect(result.participants.filter(({ state }) => state === 'Done')).toHaveLength(jobs.length);
    expect(sim.read(Batch, 'large').state).toBe('Finished');
  });

  it('ends when a tower of 20 has been built from below, one resting for the next (S4.2)', async () => {
    const sim = simulate([floor], { faults: { crash: 0.05, rollOver: 0.1, delay: 0.2, double: 0.2 } });
    const result = await sim.result(await sim.create(Floor, 'ground', 'build', { depth: 20 }));
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants.map(({ state }) => state)).toEqual(Array.from({ length: 20 }, () => 'Built'));
  });
});
