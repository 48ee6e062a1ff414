import { setTimeout as delay } from 'node:timers/promises';
import { createAll } from '../create-all.js';
import { patiently } from '../../replay/patience.js';
import type { ReeveSide } from '../reeve-side.js';
import type { Rig } from '../rig.js';
import { untilRested } from '../until-rested.js';
import { assemble, inTurn, replaceWorker, type Crowd, type Kind } from './those-who-wait.js';

/** The cost of many entities of a kind. */
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
  /** All that the worker holds. */
  readonly calls: number;
  readonly tasks: number;
  readonly threads: number;
  readonly sockets: number;
}

/** How many come before the measurement, so that what a worker loads at first does not count. */
const BEFORE = 50;
/** For how long the CPU at rest is measured, in milliseconds. */
const LOOK_MS = 30_000;
/** More than there are, operations included. */
export const ALL_CACHED = 100_000;
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
  const crowd = await assemble(side, kind, 'valve', count);
  const half = count >> 1;
  report(`${kind}: measures those in memory`);
  const cached = await cost(rig, side, base);
  await answerAll(side, crowd, 0, half);
  await side.worker.stop();
  report(`${kind}: measures those that are not`);
  await side.worker.start(NONE_CACHED);
  const evicted = await cost(rig, side, base);
  // A worker that keeps next to none in memory would read each one again for each of its tasks, which measures that worker.
  await replaceWorker(side);
  await answerAll(side, crowd, half, count);
  await side.clear();
  return { kind, cached, evicted };
}

async function cost(rig: Rig, side: ReeveSide, base: Pick<Cost, 'workerBytes' | 'serviceBytes'>): Promise<Cost> {
  await untilRested(side.worker);
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

/** Answers some of those that wait, or raises an event on those at rest, and looks whether they have gone on. */
async function answerAll(side: ReeveSide, { keys, tokens }: Crowd, from: number, to: number): Promise<void> {
  const some = keys.slice(from, to);
  await inTurn(some, (key) => {
    const token = tokens.get(key);
    return token === undefined ? side.shut(key) : side.answer(token, 1);
  });
  for (const key of some.filter((_, index) => index % LOOKED_AT === 0)) await untilAnswered(side, key);
}

async function untilAnswered(side: ReeveSide, key: string): Promise<void> {
  for (;;) {
    const { snapshot } = await patiently(`a read of ${key}`, () => side.read(key));
    if (snapshot.properties['value'] === 1 && !snapshot.running) return;
    await delay(100);
  }
}
