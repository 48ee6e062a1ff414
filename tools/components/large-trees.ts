import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { ReeveClient } from '../../src/client/client.js';
import type { Deployments } from '../../src/client/deployments.js';
import { patiently } from '../replay/patience.js';
import { budgetOf } from './budget.js';
import { Forest, largeTree } from './forest.js';
import type { World } from './world.js';

const SIZES = { depth: 20, count: 1_000 };
/** For how long such a tree may take to come up, or to end, in milliseconds. */
const WITHIN_MS = 180_000;

/**
 * Runs a tree that is 20 deep and has 1,000 leaves beside each other, on its own and for a state of an entity. Gives what is wrong
 * with that, and with what it costs.
 */
export async function runLargeTrees(
  { client, deployments, world }: { readonly client: Client; readonly deployments: Deployments; readonly world: World },
  report: (line: string) => void,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const all = SIZES.count + 1;
  const done = (of: string, what: string) => world.steps(of).filter((step) => step.includes(` ${what} `)).length;
  const until = async (of: string, what: string) => {
    for (const end = Date.now() + WITHIN_MS; done(of, what) < all && Date.now() < end;) await delay(100);
    if (done(of, what) !== all) problems.push(`${of}: ${done(of, what)} ${what}, and ${all} were to be`);
  };
  const spend = async (id: string) => {
    const { spent, problems: beyond } = await budgetOf(client, id);
    for (const line of spent) report(line);
    problems.push(...beyond);
  };

  await patiently('deploy', () => deployments.deploy(largeTree('large', SIZES), 'large'));
  await until('large', 'starts');
  await patiently('end', () => deployments.terminate('large'));
  const { type, description, component } = await patiently('result', () => deployments.result('large'));
  if (type !== 'normal') problems.push(`the large tree ends as ${type}: ${description} (${component})`);
  await until('large', 'stops');
  await spend('deployment/large');

  const reeve = new ReeveClient({ client, entities: [Forest] });
  const grown = await reeve.create(Forest, 'forest', 'grow', SIZES);
  const { outcome } = await reeve.operations.result(grown);
  if (outcome !== 'success') problems.push(`the forest does not grow: ${outcome}`);
  const { deployments: of = [] } = (await reeve.read({ type: 'Forest', key: 'forest' })).snapshot;
  await until('forest', 'starts');
  await reeve.operations.result(await reeve.raise(Forest, 'forest', 'clear'));
  await until('forest', 'stops');
  for (const { id } of [...of, { id: 'Forest/forest' }]) await spend(id);
  if (of.length !== 1) problems.push(`the state has ${of.length} deployments`);
  return problems;
}
