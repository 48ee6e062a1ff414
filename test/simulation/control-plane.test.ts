import { describe, expect, it } from 'vitest';
import { simulate } from '../../src/simulation/index.js';
import { seeds } from '../support/seeds.js';
import { FakeCloud } from '../../tools/simulation/fake-cloud.js';
import { IMPLEMENTATIONS, simulateControlPlane } from '../../tools/simulation/control-plane.js';
import { Alias } from '../../workflows/alias/definition.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
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

  it('rejects a database until its server is Ready, and then takes it (S2.2, S6.4)', async () => {
    const cloud = new FakeCloud();
    const sim = simulate(IMPLEMENTATIONS, { resources: cloud.resources });
    const create = () => sim.create(LogicalDatabase, 'one.sales', 'create', {});
    await expect(create()).rejects.toMatchObject({ code: 'server_not_ready' });
    // Its second attempt comes later.
    sim.inject({ at: { entity: 'SqlApplication/one', call: 'databases.createInstance' }, fault: 'fail' });
    const server = await sim.create(LogicalServer, 'one', 'create', {});
    const states = new Set<string>();
    while (sim.read(LogicalServer, 'one').state !== 'Ready') {
      states.add(sim.read(LogicalServer, 'one').state);
      await expect(create()).rejects.toMatchObject({
        code: 'server_not_ready',
        rejection: { operation: server.requestId },
      });
      await sim.advance(10);
    }
    expect(states).toContain('CreatingResources');
    expect(() => sim.read(LogicalDatabase, 'one.sales')).toThrow('LogicalDatabase/one.sales does not exist');
    expect(await sim.result(await create())).toMatchObject({ outcome: 'success' });
    // A database that lives answers for itself, whatever becomes of its server.
    await expect(create()).rejects.toMatchObject({ code: 'already_done' });
    await sim.raise(LogicalServer, 'one', 'delete');
    await sim.settle();
    await expect(create()).rejects.toMatchObject({ code: 'server_not_ready' });
  });

  it('shows an alias that listens nowhere, and binds it again when its address is free (S1.4, S3.5, S5.4)', async () => {
    const cloud = new FakeCloud();
    const sim = simulate(IMPLEMENTATIONS, { resources: cloud.resources });
    await sim.create(LogicalServer, 'one', 'create', {});
    await sim.settle();
    const inspect = () => sim.raise(Alias, 'one', 'inspect');
    expect(await sim.result(await inspect())).toMatchObject({ outcome: 'success' });
    cloud.aliases.get('one')!.taken = true;
    const inspected = await inspect();
    await sim.advance('5m');
    expect(sim.read(Alias, 'one')).toMatchObject({ state: 'Unbound', lastError: { code: 'address_taken' } });
    expect(sim.read(Alias, 'one').attempt).toBeGreaterThan(20);
    await expect(inspect()).rejects.toMatchObject({
      code: 'already_in_progress',
      rejection: { operation: inspected.requestId },
    });
    cloud.aliases.get('one')!.taken = false;
    expect(await sim.result(inspected)).toMatchObject({ outcome: 'success' });
    expect(sim.read(Alias, 'one').state).toBe('Ready');
  });

  it('deletes a server whose alias listens nowhere (S6.4)', async () => {
    const cloud = new FakeCloud();
    const sim = simulate(IMPLEMENTATIONS, { resources: cloud.resources });
    await sim.create(LogicalServer, 'one', 'create', {});
    await sim.settle();
    cloud.aliases.get('one')!.taken = true;
    await sim.raise(Alias, 'one', 'inspect');
    await sim.advance('1m');
    const deleted = await sim.raise(LogicalServer, 'one', 'delete');
    expect(await sim.result(deleted)).toMatchObject({ outcome: 'success' });
    expect(cloud.of('one')).toEqual([]);
  });

  it('settles with each seed, its resources as its servers and databases say', { timeout: 240_000 }, async () => {
    for (const seed of seeds(60)) await simulateControlPlane(seed);
  });

  it.each([88, 129, 374, 476, 643, 1210, 1216])(
    'settles with the seed %i, with which it once did not',
    async (seed) => {
      await simulateControlPlane(seed);
    },
  );
});
