import type { Case, Figure, Values } from '../case.js';
import { oneAfterAnother } from '../callers.js';
import { commitTimes, readHistory } from '../history.js';
import { REPAIRS, WORK_TITLES, WORKS, type Work } from '../side.js';
import { median } from '../statistics.js';

/** The most time, as a multiple of a workflow by hand. It is higher where the caller asks again, or an operation follows. */
const MOST: Readonly<Record<Work, number>> = { turn: 1.15, probe: 1.15, overhaul: 1.15, later: 2, operation: 2 };

function figures(work: Work): readonly Figure[] {
  const event = `one event ${WORK_TITLES[work]}`;
  const budget = { of: 'ratio', atMost: MOST[work] } as const;
  const outcome: Figure = { name: 'outcome', title: `${event}, to its outcome`, unit: 'ms', budget };
  if (work !== 'overhaul') return [outcome];
  return [outcome, { name: 'commit', title: `${event}, to its commit`, unit: 'ms', budget }];
}

/** Events one after the other. Each round has a new entity. */
export const oneEvent: readonly Case[] = WORKS.map((work) => ({
  name: `one-${work}`,
  figures: figures(work),
  ...(work === 'operation' ? { rounds: 3 } : { warmUps: 6 }),
  async round({ side, pace, round }): Promise<Values> {
    const key = `one-${work}-${round}`;
    await side.create(key);
    const times = work === 'operation' ? REPAIRS : pace.calls;
    const calls = await oneAfterAnother(times, () => side.raise(key, work));
    const outcome = median(calls.map(({ ms }) => ms));
    if (work !== 'overhaul') return { outcome };
    const commits = commitTimes(await readHistory(side.client, side.workflowId(key)));
    return { outcome, commit: median(calls.map(({ startedAt }, index) => commits[index]! - startedAt)) };
  },
}));
