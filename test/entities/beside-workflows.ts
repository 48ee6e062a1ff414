import { condition, defineQuery, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import { entityWorkflows } from '../../src/temporal/workflows.js';
import { box, room } from './workflows.js';

const { shout } = proxyActivities<{ shout(text: string): Promise<string> }>({ startToCloseTimeout: '10s' });

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

export default entityWorkflows(box, room);
