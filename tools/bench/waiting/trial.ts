import { setTimeout as delay } from 'node:timers/promises';
import { createAll } from '../create-all.js';
import { patiently } from '../../replay/patience.js';
import type { ReeveSide } from '../reeve-side.js';
import type { Rig } from '../rig.js';
import { untilQuiet } from '../until-quiet.js';

/** What the entities do. Waiting in an action, each has an operation that goes on, with a workflow of its own. */
export const KINDS = ['at rest', 'waiting in a state', 'waiting in an action'] as const;
export type Kind = (typeof KINDS)[number];

/** What many entities of a kind cost. */
export interface Waiting {
  readonly kind: Kind;
  /** With all of them in the worker's memory, and with none. */
  readonly cached: Cost;
  readonly evicted: Cost;
}

export interface Cost {
  /** Memory of the worker's process and of the Temporal service, in bytes, beyond what they take without entities. */
  readonly workerBytes: number;
  readonly serviceBytes: number;
  /** CPU time for each second, in milliseconds. */
  readonly workerCpu: number;
  readonly serviceCpu: number;
  /** What the worker holds. */
  readonly calls: number;
  readonly tasks: number;
  readonly threads: number;
  readonly sockets: number;
  /** Ordinary events on entities at rest, or answers to those that wait: each is read from its history once where none is in memory. */
  readonly perSecond: number;
}

const CALLERS = 64;
/** How many come before the measurement, so that what a worker loads at first does not count. */
const BEFORE = 50;
/** For how long the CPU at rest is measured, in milliseconds. */
const LOOK_MS = 30_000;
/** The time after which entities at rest go on in new runs. */
const REST_MS = 35_000;
/** After this time, the service looks no more for a worker that has gone. */
const FORGOTTEN_MS = 15_000;
/** More than there are, operations included. */
const ALL_CACHED = 100_000;
const NONE_CACHED = 10;
/** Every so many entities, one is read to see that its answer has come. */
const LOOKED_AT = 100;

export async function measureWaiting(
  rig: Rig,
  kind: Kind,
  count: number,
  report: (line: string) => void,
): Promise<Waiting> {
  const side = rig.reeveApart(ALL_CACHED);
  await side.worker.start();
  await createAll(side, 'first', BEFORE);
  const [worker, service] = [await side.worker.memory(), await rig.service()];
  const base = { workerBytes: worker.residentBytes, serviceBytes: service.residentBytes };
  report(`${kind}: creates ${count}`);
  const keys = await createAll(side, 'valve', count);
  if (kind !== 'at rest')
    await inTurn(keys, (key) => side.wait(key, kind === 'waiting in a state' ? 'lend' : 'inspect'));
  const tokens = await tokensOf(side, kind === 'at rest' ? 0 : count);
  const half = count >> 1;
  report(`${kind}: measures those in memory`);
  const cached = await cost(rig, side, base);
  const fast = await answerAll(side, kind, keys.slice(0, half), tokens);
  await side.worker.stop();
  report(`${kind}: measures those that are not`);
  await side.worker.start(NONE_CACHED);
  const evicted = await cost(rig, side, base);
  // A worker that keeps next to none in memory would read each one again for each of its tasks, which measures that worker.
  await side.worker.stop();
  await side.worker.start();
  await delay(FORGOTTEN_MS);
  const slow = await answerAll(side, kind, keys.slice(half), tokens);
  await side.clear();
  return { kind, cached: { ...cached, perSecond: fast }, evicted: { ...evicted, perSecond: slow } };
}

/** The token of each entity. */
async function tokensOf({ worker, keys }: ReeveSide, count: number): Promise<ReadonlyMap<string, string>> {
  while (worker.asked.length < count) await delay(100);
  return new Map(worker.asked.map((token) => [keys.questionOf(token)?.of.key ?? '', token]));
}

async function cost(
  rig: Rig,
  side: ReeveSide,
  base: Pick<Cost, 'workerBytes' | 'serviceBytes'>,
): Promise<Omit<Cost, 'perSecond'>> {
  await delay(REST_MS);
  await untilQuiet(side.worker);
  const [cpu, service] = [await side.worker.cpuMs(), await rig.service()];
  await delay(LOOK_MS);
  const seconds = LOOK_MS / 1_000;
  const workerCpu = ((await side.worker.cpuMs()) - cpu) / seconds;
  const after = await rig.service();
  const { residentBytes } = await side.worker.memory();
  const { said: _, ...held } = await side.worker.held();
  return {
    ...held,
    workerBytes: residentBytes - base.workerBytes,
    serviceBytes: after.residentBytes - base.serviceBytes,
    workerCpu,
    serviceCpu: (after.cpuMs - service.cpuMs) / seconds,
  };
}

/** Raises an ordinary event on each, or answers each. Gives how many a second. */
async function answerAll(
  side: ReeveSide,
  kind: Kind,
  keys: readonly string[],
  tokens: ReadonlyMap<string, string>,
): Promise<number> {
  const from = performance.now();
  await inTurn(keys, async (key) => {
    // Where thousands go on in new runs, the service may keep somebody waiting for too long.
    if (kind === 'at rest') await side.shut(key);
    else await patiently(`the answer for ${key}`, () => side.answer(tokens.get(key)!, 1));
  });
  const seconds = (performance.now() - from) / 1_000;
  for (const key of keys.filter((_, index) => index % LOOKED_AT === 0)) await untilAnswered(side, key);
  return keys.length / seconds;
}

async function untilAnswered(side: ReeveSide, key: string): Promise<void> {
  for (;;) {
    const { snapshot } = await patiently(`a read of ${key}`, () => side.read(key));
    if (snapshot.properties['value'] === 1 && !snapshot.running) return;
    await delay(100);
  }
}

/** Does something for each, many at a time. */
async function inTurn(keys: readonly string[], act: (key: string) => Promise<void>): Promise<void> {
  const left = [...keys].reverse();
  const caller = async () => {
    for (let key = left.pop(); key !== undefined; key = left.pop()) await act(key);
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
}
