import { setTimeout as delay } from 'node:timers/promises';
import { createAll } from '../create-all.js';
import type { ReeveSide } from '../reeve-side.js';

/** The kinds of entities, by what they do. Waiting in an action, each has an operation that goes on, with a workflow of its own. */
export const KINDS = ['at rest', 'waiting in a state', 'waiting in an action'] as const;
export type Kind = (typeof KINDS)[number];

const CALLERS = 64;
/** After this time, the service looks no more for a worker that has gone. */
const FORGOTTEN_MS = 15_000;

/** Valves that rest, or that wait for an answer from outside, with the token of each that waits. */
export interface Crowd {
  readonly keys: readonly string[];
  readonly tokens: ReadonlyMap<string, string>;
}

/** Makes them. Ends when all rest, or are waited for outside. */
export async function assemble(side: ReeveSide, kind: Kind, name: string, count: number): Promise<Crowd> {
  const keys = await createAll(side, name, count);
  if (kind === 'at rest') return { keys, tokens: new Map() };
  await inTurn(keys, (key) => side.wait(key, kind === 'waiting in a state' ? 'lend' : 'inspect'));
  return { keys, tokens: await tokensOf(side, count) };
}

/** Does something for each, many at a time. Gives how many a second. */
export async function inTurn(keys: readonly string[], act: (key: string) => Promise<void>): Promise<number> {
  const from = performance.now();
  const left = [...keys].reverse();
  const caller = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) await act(key);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return keys.length / ((performance.now() - from) / 1_000);
}

/** Lets another worker take the place of the one that runs, so that nothing is in its memory. */
export async function replaceWorker({ worker }: ReeveSide): Promise<void> {
  await worker.stop();
  await worker.start();
  await delay(FORGOTTEN_MS);
}

/** The token of each valve. */
async function tokensOf({ worker, keys }: ReeveSide, count: number): Promise<ReadonlyMap<string, string>> {
  while (worker.asked.length < count) await delay(100);
  return new Map(worker.asked.map((token) => [keys.questionOf(token)?.of.key ?? '', token]));
}
