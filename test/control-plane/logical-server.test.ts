import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rejected } from '../../src/protocol/errors.js';
import { takeInventory, useServer } from '../../tools/recovery/inventory.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { until } from '../support/until.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
});
afterAll(async () => plane.close());

const create = (name: string) => plane.reeve.create(LogicalServer, name, 'create', {});
const stateOf = async (type: string, key: string) => (await plane.reeve.read({ type, key })).snapshot.state;
const NOTHING = { instances: 0, processes: 0, aliases: 0, names: 0 };
const ONE_OF_EACH = { instances: 1, processes: 1, aliases: 1, names: 1 };

describe('a logical server (S6.4)', () => {
  it('is created as in picture 4, used by its name, and deleted with everything that belongs to it', async () => {
    const taken = await create('orders');
    const waiting = await until(async () => {
      const { snapshot } = await plane.reeve.read({ type: 'LogicalServer', key: 'orders' });
      expect(snapshot.state).toBe('CreatingResources');
      return snapshot;
    });
    expect(waiting.successors.map(({ type }) => type).slice(0, 2)).toEqual(['SqlApplication', 'DnsRecord']);

    const result = await plane.reeve.operations.result(taken);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants.map(({ type, state }) => `${type} ${state}`).sort()).toEqual([
      'Alias Ready',
      'DatabaseService Ready',
      'DnsRecord Ready',
      'LogicalServer Ready',
      'SqlApplication Ready',
    ]);
    expect(await takeInventory(plane.home, 'orders')).toEqual(ONE_OF_EACH);
    expect(await useServer(plane.home, 'orders')).toEqual({ roles: 1, databases: 1 });

    const again = await create('orders').catch((thrown: Rejected) => thrown);
    expect(again).toMatchObject({ code: 'already_done' });

    const deletion = await plane.reeve.raise(LogicalServer, 'orders', 'delete');
    expect(await plane.reeve.operations.result(deletion)).toMatchObject({ outcome: 'success', errors: [] });
    expect(await takeInventory(plane.home, 'orders')).toEqual(NOTHING);
    expect((await plane.reeve.read({ type: 'LogicalServer', key: 'orders' })).gone).toBe(true);

    expect(await plane.reeve.operations.result(await create('orders'))).toMatchObject({ outcome: 'success' });
    expect(await takeInventory(plane.home, 'orders')).toEqual(ONE_OF_EACH);
  });

  it('becomes Ready when a provider fails three times and then works, with the attempts visible (S3.5)', async () => {
    plane.failures.set('databases.createInstance flaky', 3);
    const taken = await create('flaky');
    await until(async () => {
      const { snapshot } = await plane.reeve.read({ type: 'SqlApplication', key: 'flaky' });
      expect(snapshot).toMatchObject({ state: 'Creating', lastError: { code: 'provider_down' } });
      expect(snapshot.attempt).toBeGreaterThan(1);
    });
    expect(await plane.reeve.operations.result(taken)).toMatchObject({ outcome: 'success', errors: [] });
    expect(plane.calls.get('databases.createInstance flaky')).toBe(4);
    expect(await useServer(plane.home, 'flaky')).toEqual({ roles: 1, databases: 1 });
  });

  it.each([
    ['the instance', 'databases.createInstance', 'SqlApplication'],
    ['the database', 'databases.createDatabase', 'DatabaseService'],
    ['the alias', 'aliases.point', 'Alias'],
    ['the name', 'names.publish', 'DnsRecord'],
  ])(
    'ends Failed with nothing left when %s always fails, and the operation says why (S1.4, S5.1)',
    async (_, call, type) => {
      const name = `no-${type.toLowerCase()}`;
      plane.failures.set(`${call} ${name}`, 1_000);
      const result = await plane.reeve.operations.result(await create(name));
      expect(result.outcome).toBe('failed');
      const error = { entity: `${type}/${name}`, event: 'create', code: 'provider_down', message: `${call} is down` };
      expect(result.errors).toContainEqual(expect.objectContaining(error));
      expect(await stateOf('LogicalServer', name)).toBe('Failed');
      expect(await takeInventory(plane.home, name), JSON.stringify(result)).toEqual(NOTHING);

      const refused = await create(name).catch((thrown: Rejected) => thrown);
      expect(refused).toMatchObject({ code: 'creation_failed' });
      plane.failures.clear();
      const deletion = await plane.reeve.raise(LogicalServer, name, 'delete');
      expect(await plane.reeve.operations.result(deletion)).toMatchObject({ outcome: 'success' });
      expect(await plane.reeve.operations.result(await create(name))).toMatchObject({ outcome: 'success' });
    },
  );

  it('can be deleted while it is being created: both operations end, and nothing is left (S4.8)', async () => {
    plane.failures.set('databases.createDatabase hasty', 3);
    const creation = await create('hasty');
    await until(async () => {
      expect(plane.calls.get('databases.createDatabase hasty')).toBeGreaterThan(0);
      expect(await stateOf('LogicalServer', 'hasty')).toBe('CreatingResources');
    });
    const deletion = await plane.reeve.raise(LogicalServer, 'hasty', 'delete');
    expect(await plane.reeve.operations.result(deletion)).toMatchObject({ outcome: 'success' });
    expect(await takeInventory(plane.home, 'hasty')).toEqual(NOTHING);
    expect((await plane.reeve.operations.result(creation)).participants).toContainEqual(
      expect.objectContaining({ type: 'LogicalServer', state: 'Deleted' }),
    );
  });

  it('is not created by parameters that are not right, and the answer tells path and reason', async () => {
    const wrong = plane.reeve.create(LogicalServer, 'wrong', 'create', { administrator: 'Not A Role' });
    await expect(wrong).rejects.toMatchObject({
      code: 'invalid_parameters',
      rejection: { issues: [{ path: 'administrator', message: expect.stringContaining('lower-case') }] },
    });
    await expect(plane.reeve.read({ type: 'LogicalServer', key: 'wrong' })).rejects.toMatchObject({ code: 'absent' });
  });
});
