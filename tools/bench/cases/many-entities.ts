import type { Case, Figure } from '../case.js';
import { crowd } from '../callers.js';
import { WORK_TITLES, WORKS, type Work } from '../side.js';
import { quantile } from '../statistics.js';
import { createAll } from '../create-all.js';

const ENTITIES = 64;
/** How many rounds warm up. The first case warms up code for the next ones, and cases with an activity have few events. */
const WARM_UPS: Readonly<Record<Work, number>> = { turn: 6, probe: 3, overhaul: 6, later: 1, operation: 0 };

function figures(work: Work): readonly Figure[] {
  const events = `events ${WORK_TITLES[work]}, ${ENTITIES} entities at once`;
  const rate: Figure = { name: 'rate', title: events, unit: '/s' };
  const p99: Figure = { name: 'p99', title: 'their time to the outcome, p99', unit: 'ms' };
  const cpu: Figure = { name: 'cpu', title: 'CPU of the worker for each', unit: 'ms' };
  // By hand nobody asks for the outcome later, so there is nothing to compare with.
  if (work === 'later') return [rate, p99, cpu];
  return [{ ...rate, budget: { of: 'ratio', atLeast: 1 } }, p99, { ...cpu, budget: { of: 'ratio', atMost: 1 } }];
}

/** Many entities at once, with a caller each. */
export const manyEntities: readonly Case[] = WORKS.filter((work) => work !== 'operation').map((work) => ({
  name: `many-${work}`,
  figures: figures(work),
  warmUps: WARM_UPS[work],
  prepare: (side) => createAll(side, `many-${work}`, ENTITIES),
  async round({ side, keys, pace }) {
    const before = await side.worker.cpuMs();
    const { ms, perSecond, ended } = await crowd(keys.length, pace.forMs, (caller) => side.raise(keys[caller]!, work));
    const cpu = ((await side.worker.cpuMs()) - before) / ended;
    return { rate: perSecond, p99: quantile(ms, 0.99), cpu };
  },
}));
