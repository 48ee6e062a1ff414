import type { Case, Figure, Values } from '../case.js';
import { oneAfterAnother } from '../callers.js';
import { commitTimes, readHistory } from '../history.js';
import { WORK_TITLES, WORKS, type Work } from '../side.js';
import { median } from '../statistics.js';

function figures(work: Work): readonly Figure[] {
  const event = `one event ${WORK_TITLES[work]}`;
  if (work !== 'overhaul') {
    return [{ name: 'outcome', title: `${event}, to its outcome`, unit: 'ms', budget: { of: 'ratio', atMost: 1.15 } }];
  }
  return [
    { name: 'commit', title: `${event}, to its commit`, unit: 'ms', budget: { of: 'ratio', atMost: 1.15 } },
    {
      name: 'outcome',
      title: `the operation of ${event}, to its result`,
      unit: 'ms',
      budget: { of: 'ratio', atMost: 2 },
    },
  ];
}

/** Events one after the other, on a new entity in each round. */
export const oneEvent: readonly Case[] = WORKS.map((work) => ({
  name: `one-${work}`,
  figures: figures(work),
  async round({ side, pace, round }): Promise<Values> {
    const key = `one-${work}-${round}`;
    await side.create(key);
    const calls = await oneAfterAnother(pace.calls, () => side.raise(key, work));
    const outcome = median(calls.map(({ ms }) => ms));
    if (work !== 'overhaul') return { outcome };
    // The answer to an event whose action goes on comes at once: what its caller would wait for is in the history.
    const commits = commitTimes(await readHistory(side.client, side.workflowId(key)));
    return { outcome, commit: median(calls.map(({ startedAt }, index) => commits[index]! - startedAt)) };
  },
}));
