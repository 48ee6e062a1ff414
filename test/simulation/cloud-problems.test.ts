import { describe, expect, it } from 'vitest';
import type { AnyImplementation } from '../../src/definition/index.js';
import { simulate } from '../../src/simulation/index.js';
import { cloudProblems } from '../../tools/simulation/cloud-problems.js';
import { IMPLEMENTATIONS } from '../../tools/simulation/control-plane.js';
import { FakeCloud } from '../../tools/simulation/fake-cloud.js';
import { logicalServer } from '../../workflows/logical-server/actions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';

const KEYS = { servers: ['one', 'two'], databases: ['one.sales'] };

/** A server with a database, which is deleted after it. */
async function deletedDatabase(implementations: readonly AnyImplementation[] = IMPLEMENTATIONS) {
  const cloud = new FakeCloud();
  const sim = simulate(implementations, { resources: cloud.resources });
  await sim.create(LogicalServer, 'one', 'create', {});
  await sim.settle();
  await sim.create(LogicalDatabase, 'one.sales', 'create', {});
  await sim.settle();
  const problems = () => cloudProblems(sim, cloud, KEYS);
  expect(problems()).toEqual([]);
  await sim.raise(LogicalDatabase, 'one.sales', 'delete');
  await sim.settle();
  return { sim, cloud, problems };
}

describe('what is wrong with the whole when all is at rest (S6.4)', () => {
  it('is nothing after a deletion that went well', async () => {
    const { sim, problems } = await deletedDatabase();
    expect(problems()).toEqual([]);
    await sim.raise(LogicalServer, 'one', 'delete');
    await sim.settle();
    expect(problems()).toEqual([]);
  });

  it('is the name of a deleted database that stays attached to its server', async () => {
    const forgetful = {
      ...logicalServer,
      actions: { ...logicalServer.actions, detachDatabase: async () => undefined },
    };
    const { problems } = await deletedDatabase(
      IMPLEMENTATIONS.map((each) => (each.entity === LogicalServer ? forgetful : each)),
    );
    expect(problems()).toEqual([`the name 'sales' of 'one' is attached to 'one.sales', which does not exist`]);
  });

  it('is whatever is left in the cloud of what was deleted', async () => {
    const { sim, cloud, problems } = await deletedDatabase();
    cloud.aliases.get('one')!.routes.set('sales', 'one.sales');
    cloud.instances.set('one.sales', { cluster: 'main', fenced: false, databases: new Map() });
    expect(problems()).toEqual([
      `the instance 'one.sales' is left over`,
      `the route to 'sales' of 'one' in 'one.sales' is left over`,
    ]);
    await sim.raise(LogicalServer, 'one', 'delete');
    await sim.settle();
    cloud.instances.clear();
    cloud.aliases.set('one', { routes: new Map() });
    cloud.names.add('one');
    cloud.administrators.add('one');
    expect(problems()).toEqual([
      `the alias of 'one' is left over`,
      `the name of 'one' is left over`,
      `the administrator of 'one' is left over`,
    ]);
  });
});
