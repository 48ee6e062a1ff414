import {
  ApplicationFailure,
  condition,
  defineQuery,
  defineSignal,
  proxyActivities,
  setHandler,
} from '@temporalio/workflow';
import { entityWorkflows, proxyEntities, rejectionOf } from '../../src/workflows.js';
import { Box, Room } from './box.js';
import { box, room } from './workflows.js';

const { shout, fits } = proxyActivities<{
  shout(text: string): Promise<string>;
  fits(name: string): Promise<boolean>;
}>({ startToCloseTimeout: '10s' });

/** A workflow that knows nothing of Reeve. */
export async function greet(name: string): Promise<string> {
  return shout(`hello ${name}`);
}

export const add = defineSignal<[text: string]>('add');
export const collected = defineQuery<readonly string[]>('collected');

/** Waits for three texts. A task in which one of the first comes leaves nothing of its own in history. */
export async function collect(): Promise<string> {
  const texts: string[] = [];
  setHandler(add, (text) => void texts.push(text));
  setHandler(collected, () => texts);
  await condition(() => texts.length === 3);
  return texts.join(' ');
}

const entities = proxyEntities();

/** Places a box, looks at it, and gives it another label. */
export async function stock(key: string) {
  const placed = await entities.result(await entities.create(Box, key, 'place', { label: 'first' }));
  const before = await entities.read(Box, key);
  const { outcome } = await entities.perform(Box, key, 'relabel', { label: 'second' });
  const after = await entities.reach(Box, key, 'Placed', 'Lost');
  return { placed: placed.outcome, before, relabelled: outcome, after, nobody: await entities.read(Box, 'nobody') };
}

/** Tells why each of these is not accepted. */
export async function refusals(key: string) {
  const codeOf = (thrown: unknown) => rejectionOf(thrown)?.code ?? String(thrown);
  return [
    await entities.raise(Box, key, 'look').catch(codeOf),
    await entities.create(Box, 'No Key', 'place', { label: 'first' }).catch(codeOf),
    await entities.create(Box, key, 'place', { label: '' }).catch(codeOf),
    await entities.create(Box, key, 'place', { label: 1n as never }).catch(codeOf),
  ];
}

/** Fails, since it does not catch the rejection. */
export async function careless(key: string) {
  await entities.raise(Box, key, 'look');
}

/** Waits for a room that somebody else furnishes, or for a box that is removed. */
export async function expectRoom(key: string) {
  return (await entities.reach(Room, key, 'Ready')).state;
}

/** Waits in vain: the box is deleted. */
export async function expectBox(key: string) {
  return entities.reach(Box, key, 'Lost').catch((thrown: unknown) => rejectionOf(thrown)?.code);
}

/** Puts a box on the shelf: a call as a workflow. */
export async function putAway({ name }: { name: string }) {
  if (!(await fits(name))) throw ApplicationFailure.nonRetryable(`no room for ${name}`, 'shelf_full');
  if (name === 'stuck') await condition(() => false);
  return { place: (await shout(name)).length };
}

export default entityWorkflows(box, room);
