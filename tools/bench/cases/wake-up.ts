import type { Case, Values } from '../case.js';
import { oneAfterAnother, timed } from '../callers.js';
import { createAll } from '../create-all.js';
import { median } from '../statistics.js';

const AGES = [10, 100, 1_000] as const;
/** The least number of workflows that a worker can keep in memory. */
const CACHED = 2;
const TIMES = 5;

/** An event on an entity that is no longer in the memory of its worker. */
export const wakeUp: Case = {
  name: 'wake-up',
  figures: AGES.map((age) => ({
    name: `after-${age}`,
    title: `one event without call, no longer in memory, after ${age} transitions`,
    unit: 'ms',
  })),
  rounds: 1,
  warmUps: 0,
  async round({ side: { name }, rig }): Promise<Values> {
    const side = rig.apart(name, CACHED);
    await side.worker.start();
    // These take the place of the entity that is to be woken up.
    const others = await createAll(side, 'other', CACHED);
    const values: Record<string, number> = {};
    // The first age comes twice: the first time warms up, and the second replaces its value.
    for (const [index, age] of [AGES[0], ...AGES].entries()) {
      const key = `aged-${index}`;
      await side.create(key);
      await oneAfterAnother(age, () => side.raise(key, 'turn'));
      const ms: number[] = [];
      for (let time = 0; time < TIMES; time++) {
        for (const other of others) await side.raise(other, 'turn');
        ms.push((await timed(() => side.raise(key, 'turn'))).ms);
      }
      values[`after-${age}`] = median(ms);
    }
    await side.clear();
    await side.worker.stop();
    return values;
  },
};
