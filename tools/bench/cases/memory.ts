import type { Case } from '../case.js';
import { createAll } from '../create-all.js';

const MB = 1024 * 1024;
/** How many entities come before the measurement, so that what a worker loads at first does not count. */
const BEFORE = 50;

/** How much memory cached entities take, in a worker that has nothing else. */
export const memory: Case = {
  name: 'memory',
  figures: [
    {
      name: 'resident',
      title: 'memory of a cached entity at rest, of the process',
      unit: 'MB',
      budget: { of: 'reeve', atMost: 0.5 },
    },
    { name: 'heap', title: 'memory of a cached entity at rest, of JavaScript', unit: 'MB' },
  ],
  rounds: 1,
  warmUps: 0,
  async round({ side: { name }, rig, pace }) {
    const side = rig.apart(name);
    await side.worker.start();
    await createAll(side, 'first', BEFORE);
    const before = await side.worker.memory();
    await createAll(side, 'cached', pace.cached);
    const after = await side.worker.memory();
    await side.clear();
    await side.worker.stop();
    return {
      resident: (after.residentBytes - before.residentBytes) / pace.cached / MB,
      heap: (after.heapBytes - before.heapBytes) / pace.cached / MB,
    };
  },
};
