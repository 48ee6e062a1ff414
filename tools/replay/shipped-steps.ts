import { setTimeout as delay } from 'node:timers/promises';
import { WAKE_SIGNAL } from '../../src/protocol/names.js';
import type { AcceptedEvent } from '../../src/protocol/accepted-event.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { RESTED_MS } from '../rested.js';
import { patiently } from './patience.js';
import type { Rig } from './rig.js';

/** Lets the shipped entities do each kind of step: they are created, changed, rested, woken and deleted, and something fails. */
export async function doShippedSteps({ reeve, client }: Rig): Promise<void> {
  const ended = async (what: string, ask: () => Promise<AcceptedEvent>) => {
    const taken = await patiently(what, ask);
    await patiently(what, () => reeve.operations.result(taken));
  };
  const server = (key: string) => ended(`create ${key}`, () => reeve.create(LogicalServer, key, 'create', {}));
  const database = (key: string) => ended(`create ${key}`, () => reeve.create(LogicalDatabase, key, 'create', {}));
  await Promise.all([server('orders'), server('sales')]);
  const rule = { name: 'office', cidr: '10.0.0.0/24' };
  await Promise.all([
    ...['orders.a', 'orders.b', 'orders.c'].map(database),
    ended('a firewall rule', () => reeve.raise(LogicalServer, 'sales', 'setFirewallRule', rule)),
  ]);
  await delay(RESTED_MS);
  await Promise.all([
    ended('scale', () => reeve.raise(LogicalDatabase, 'orders.a', 'scale', { serviceObjective: 'S2' })),
    ended('move', () => reeve.raise(LogicalDatabase, 'orders.b', 'moveTo', { server: 'sales' })),
    ended('copy', () => reeve.raise(LogicalDatabase, 'orders.c', 'copyTo', { server: 'sales', name: 'copied' })),
  ]);
  await ended('rename', () => reeve.raise(LogicalDatabase, 'orders.a', 'rename', { name: 'renamed' }));
  await client.workflow.getHandle('LogicalServer/sales').signal(WAKE_SIGNAL);
  await delay(RESTED_MS);
  await ended('delete', () => reeve.raise(LogicalServer, 'orders', 'delete'));
  await delay(RESTED_MS);
}
