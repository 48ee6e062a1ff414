import type { Case } from '../case.js';
import { crowd } from '../callers.js';
import { quantile } from '../statistics.js';

const CALLERS = 64;

/** Workflows of the project's own, which know nothing of Reeve, beside its entities in one worker. */
export const ownWorkflows: Case = {
  name: 'own',
  figures: [
    { name: 'rate', title: `own workflows, ${CALLERS} at once`, unit: '/s', budget: { of: 'ratio', atLeast: 0.95 } },
    { name: 'p99', title: 'their time to the result, p99', unit: 'ms' },
    { name: 'cpu', title: 'CPU of the worker for each', unit: 'ms', budget: { of: 'ratio', atMost: 1.05 } },
  ],
  warmUps: 6,
  async round({ side, pace, round }) {
    let number = 0;
    const before = await side.worker.cpuMs();
    const { ms, perSecond, ended } = await crowd(CALLERS, pace.forMs, async () => {
      await side.errand(`own-${side.name}-${round}-${number++}`);
      return [];
    });
    const cpu = ((await side.worker.cpuMs()) - before) / ended;
    return { rate: perSecond, p99: quantile(ms, 0.99), cpu };
  },
};
