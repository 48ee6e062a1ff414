import type { Case } from '../case.js';
import { oneAfterAnother } from '../callers.js';
import { createAll } from '../create-all.js';
import { median } from '../statistics.js';

export const read: Case = {
  name: 'read',
  figures: [{ name: 'answer', title: 'reading an entity', unit: 'ms' }],
  prepare: (side) => createAll(side, 'read', 1),
  async round({ side, keys, pace }) {
    return { answer: median((await oneAfterAnother(pace.calls, () => side.read(keys[0]!))).map(({ ms }) => ms)) };
  },
};
