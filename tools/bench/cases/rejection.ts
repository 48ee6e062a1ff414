import type { Case } from '../case.js';
import { oneAfterAnother } from '../callers.js';
import { createAll } from '../create-all.js';
import { median } from '../statistics.js';

export const rejection: Case = {
  name: 'rejection',
  figures: [{ name: 'answer', title: 'an event that is rejected', unit: 'ms' }],
  prepare: (side) => createAll(side, 'rejection', 1),
  async round({ side, keys, pace }) {
    return { answer: median((await oneAfterAnother(pace.calls, () => side.reject(keys[0]!))).map(({ ms }) => ms)) };
  },
};
