import { setTimeout as delay } from 'node:timers/promises';
import { timed } from '../callers.js';
import { createAll } from '../create-all.js';
import { median } from '../statistics.js';
import { untilRested } from '../until-rested.js';
import type { ScaleCase } from './scale-case.js';

const EVENTS = 100;
/** The time between two events: ten come in a second. */
const EVERY_MS = 100;
/** How many are created at a time. Those that come to rest meanwhile need time too, since each goes on in a new run once. */
const GROUP = 50;
const GROUP_EVERY_MS = 2_500;

/** A few events among many entities at rest. */
export const resting: ScaleCase = {
  name: 'resting',
  figures: [
    { name: 'ms', title: 'an event without call among N entities at rest, p50', unit: 'ms' },
    { name: 'cpu', title: 'CPU of the worker for each', unit: 'ms' },
  ],
  sizes: [100, 1_000, 10_000],
  async measure(side, size) {
    const keys: string[] = [];
    while (keys.length < size) {
      const due = delay(GROUP_EVERY_MS);
      keys.push(...(await createAll(side, `resting-${size}-${keys.length}`, GROUP)));
      await due;
    }
    await untilRested(side.worker);
    const before = await side.worker.cpuMs();
    const ms: number[] = [];
    for (let event = 0; event < EVENTS; event++) {
      // The keys lie far apart, so that each entity comes once, and none was at work a moment ago.
      const key = keys[Math.floor((event / EVENTS) * size)]!;
      ms.push((await timed(() => side.raise(key, 'turn'))).ms);
      await delay(EVERY_MS);
    }
    const cpu = ((await side.worker.cpuMs()) - before) / EVENTS;
    await side.clear();
    return { ms: median(ms), cpu };
  },
};
