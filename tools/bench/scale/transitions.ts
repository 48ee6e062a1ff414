import { oneAfterAnother } from '../callers.js';
import { median } from '../statistics.js';
import type { ScaleCase } from './scale-case.js';

const TIMES = 5;

/** N transitions of one entity in a row, each with an activity. */
export const transitions: ScaleCase = {
  name: 'transitions',
  figures: [{ name: 'ms', title: 'N transitions in a row with an activity each, for each', unit: 'ms' }],
  sizes: [1, 10, 100],
  async measure(side, size) {
    const key = `in-a-row-${size}`;
    await side.create(key);
    const flushed = await oneAfterAnother(TIMES, () => side.flush(key, size));
    await side.clear();
    return { ms: median(flushed.map(({ ms }) => ms)) / size };
  },
};
