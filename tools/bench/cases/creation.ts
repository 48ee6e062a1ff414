import type { Case } from '../case.js';
import { oneAfterAnother } from '../callers.js';
import { median } from '../statistics.js';

export const creation: Case = {
  name: 'creation',
  figures: [
    { name: 'answer', title: 'creating an entity, to the answer', unit: 'ms' },
    { name: 'outcome', title: 'creating an entity, to its outcome', unit: 'ms' },
  ],
  async round({ side, pace, round }) {
    const outcomes = await oneAfterAnother(pace.calls, (index) => side.create(`created-${round}-${index}`));
    const answers = await oneAfterAnother(pace.calls, (index) => side.start(`started-${round}-${index}`));
    return { answer: median(answers.map(({ ms }) => ms)), outcome: median(outcomes.map(({ ms }) => ms)) };
  },
};
