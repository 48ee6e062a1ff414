import type { Case } from '../case.js';
import { oneAfterAnother, timed } from '../callers.js';
import { createAll } from '../create-all.js';
import { forget } from '../forget.js';
import { median } from '../statistics.js';

const AGES = [10, 100, 1_000] as const;
/** Of each age. */
const ENTITIES = 2;

/** An event on an entity that no worker has in its cache. */
export const wakeUp: readonly Case[] = AGES.map((age) => ({
  name: `wake-${age}`,
  figures: [
    { name: 'outcome', title: `one event without call, no longer cached, after ${age} transitions`, unit: 'ms' },
  ],
  cold: true,
  async prepare(side) {
    const keys = await createAll(side, `wake-${age}`, ENTITIES);
    await Promise.all(keys.map((key) => oneAfterAnother(age, () => side.raise(key, 'turn'))));
    return keys;
  },
  async round({ side, keys }) {
    const ms: number[] = [];
    for (const key of keys) {
      await forget(side, key);
      ms.push((await timed(() => side.raise(key, 'turn'))).ms);
    }
    return { outcome: median(ms) };
  },
}));
