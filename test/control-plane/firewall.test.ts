import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { openSession, runSql } from '../support/server-session.js';
import { until } from '../support/until.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
  await plane.reeve.operations.result(await plane.reeve.create(LogicalServer, 'orders', 'create', {}));
});
afterAll(async () => plane.close());

const ask = (from: string) => runSql(plane.home, 'orders', 'SELECT 1 AS one', { from });
const rules = async () => (await plane.reeve.read({ type: 'LogicalServer', key: 'orders' })).snapshot.subordinates;

async function set(rule: { name: string; first: string; last?: string } | { name: string; cidr: string }) {
  const taken = await plane.reeve.raise(LogicalServer, 'orders', 'setFirewallRule', rule);
  expect(await plane.reeve.operations.result(taken)).toMatchObject({ outcome: 'success' });
}

async function remove(name: string) {
  const taken = await plane.reeve.raise(LogicalServer, 'orders', 'removeFirewallRule', { name });
  expect(await plane.reeve.operations.result(taken)).toMatchObject({ outcome: 'success' });
}

describe('the firewall rules of a logical server (S1.2, S6.4)', () => {
  it('admit the same machine at first, and nobody else, who is told why', async () => {
    expect(await ask('127.0.0.1')).toEqual([{ one: 1 }]);
    await expect(ask('127.0.0.2')).rejects.toMatchObject({
      code: '28000',
      message: 'no firewall rule of the server "orders" admits the address 127.0.0.2',
    });
  });

  it('decide from then on who may connect, by address and by block', async () => {
    await set({ name: 'office', first: '127.0.0.2' });
    expect(await ask('127.0.0.2')).toEqual([{ one: 1 }]);
    await expect(ask('127.0.0.3')).rejects.toMatchObject({ code: '28000' });
    await set({ name: 'office', cidr: '127.0.0.8/29' });
    expect(await ask('127.0.0.15')).toEqual([{ one: 1 }]);
    await expect(ask('127.0.0.2')).rejects.toMatchObject({ code: '28000' });
    expect(await rules()).toMatchObject({ firewallRules: { office: { first: '127.0.0.8', last: '127.0.0.15' } } });
  });

  it('cut off whoever is connected and is no longer admitted', async () => {
    await set({ name: 'guest', first: '127.0.0.5', last: '127.0.0.6' });
    const guest = await openSession(plane.home, 'orders', { from: '127.0.0.6' });
    const stays = await openSession(plane.home, 'orders');
    await remove('guest');
    await until(async () => {
      await expect(guest.query('SELECT 1')).rejects.toThrow();
    });
    expect((await stays.query('SELECT 2 AS two')).rows).toEqual([{ two: 2 }]);
    await stays.end();
  });

  it('are not changed by what is no address', async () => {
    const before = await rules();
    const reversed = plane.reeve.raise(LogicalServer, 'orders', 'setFirewallRule', {
      ...{ name: 'wrong', first: '10.0.0.9', last: '10.0.0.1' },
    });
    await expect(reversed).rejects.toMatchObject({ code: 'invalid_parameters' });
    const word = plane.reeve.raise(LogicalServer, 'orders', 'setFirewallRule', { name: 'wrong', first: 'home' });
    await expect(word).rejects.toMatchObject({ code: 'invalid_parameters' });
    expect(await rules()).toEqual(before);
  });
});
