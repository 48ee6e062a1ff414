import type { Case } from '../case.js';
import { firstTaskEnd, readRun } from '../history.js';

/** The time from the start of the process to the end of its first task, which waits for it already. */
export const workerStart: Case = {
  name: 'worker-start',
  figures: [{ name: 'task', title: 'starting a worker, to the end of its first task', unit: 'ms' }],
  async round({ side: { name }, rig, round }) {
    const side = rig.apart(name);
    const key = `first-${round}`;
    await side.start(key);
    const startedAt = Date.now();
    await side.worker.start();
    for (;;) {
      const end = firstTaskEnd(await readRun(side.client, side.workflowId(key)));
      if (end === undefined) continue;
      await side.clear();
      await side.worker.stop();
      return { task: end - startedAt };
    }
  },
};
