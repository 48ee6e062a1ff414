import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/simulation/index.js';
import { seeds } from '../support/seeds.js';
import { FakeCloud } from '../../workers/simulation/fake-cloud.js';
import { IMPLEMENTATIONS, simulateControlPlane } from '../../workers/simulation/control-plane.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { SqlApplication } from '../../workflows/sql-application/definition.js';

describe('the reference control plane in a simulation', () => {
  it('fails and undoes a server when one of its resources rejects its creation (S6.4)', async () => {
    const cloud = new FakeCloud();
    const sim = simulate(IMPLEMENTATIONS, { resources: cloud.resources });
    await sim.create(SqlApplication, 'one', 'create', {});
    await sim.settle();
    sim.inject({ at: { entity: 'SqlApplication/one', call: 'databases.dropInstance' }, fault: 'lose-answer' });
    await sim.raise(SqlApplication, 'one', 'delete');
    const created = await sim.create(LogicalServer, 'one', 'create', {});
    expect(await sim.result(created)).toMatchObject({ outcome: 'failed' });
    await sim.settle();
    expect(sim.read(LogicalServer, 'one').state).toBe('Failed');
    expect(cloud.of('one')).toEqual([]);
  });

  it('settles with 60 seeds, its resources as its servers and databases say', { timeout: 240_000 }, async () => {
    for (const seed of seeds(60)) await simulateControlPlane(seed);
  });

  it.each([88, 129, 374, 476, 643, 1210, 1216])(
    'settles with the seed %i, with which it once did not',
    async (seed) => {
      await simulateControlPlane(seed);
    },
  );
});
