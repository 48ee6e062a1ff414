import type { Case } from '../case.js';
import { crowd } from '../callers.js';
import { WORK_TITLES, WORKS } from '../side.js';
import { quantile } from '../statistics.js';
import { createAll } from '../create-all.js';

const ENTITIES = 64;
/** With an activity: so many operations at once take seconds. */
const LONGER = 3;
/** A caller for each of many entities, all at once. */
export const manyEntities: readonly Case[] = WORKS.map((work) => ({
  name: `many-${work}`,
  figures: [
    {
      name: 'rate',
      title: `events ${WORK_TITLES[work]}, ${ENTITIES} entities at once`,
      unit: '/s',
      budget: { of: 'ratio', atLeast: 1 },
    },
    { name: 'p99', title: 'their time to the outcome, p99', unit: 'ms' },
    { name: 'cpu', title: 'CPU of the worker for each', unit: 'ms', budget: { of: 'ratio', atMost: 1 } },
  ],
  rounds: work === 'overhaul' ? 3 : 5,
  prepare: (side) => createAll(side, `many-${work}`, ENTITIES),
  async round({ side, keys, pace }) {
    const before = await side.worker.cpuMs();
    const forMs = pace.forMs * (work === 'overhaul' ? LONGER : 1);
    const { ms, perSecond, ended } = await crowd(keys.length, forMs, (caller) => side.raise(keys[caller]!, work));
    const cpu = ((await side.worker.cpuMs()) - before) / ended;
    return { rate: perSecond, p99: quantile(ms, 0.99), cpu };
  },
}));
