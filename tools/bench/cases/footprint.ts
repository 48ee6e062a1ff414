import type { Case } from '../case.js';
import { billedUnits } from '../billing.js';
import { readHistory, type HistoryEvent } from '../history.js';
import { REPAIRS, WORK_TITLES, WORKS } from '../side.js';

/** How much an event adds to histories, and what a hosted service bills for it. */
export const footprint: readonly Case[] = WORKS.map((work) => ({
  name: `footprint-${work}`,
  figures: [
    { name: 'events', title: `history of one event ${WORK_TITLES[work]}`, unit: 'events' },
    { name: 'units', title: `billing units of one event ${WORK_TITLES[work]}`, unit: 'units' },
  ],
  rounds: 1,
  warmUps: 0,
  async round({ side, pace, round }) {
    const key = `footprint-${work}-${round}`;
    await side.create(key);
    const before = await readHistory(side.client, side.workflowId(key));
    const others: string[] = [];
    const calls = work === 'operation' ? REPAIRS : pace.calls;
    for (let call = 0; call < calls; call++) others.push(...(await side.raise(key, work)));
    const histories = await Promise.all([side.workflowId(key), ...others].map((id) => readHistory(side.client, id)));
    const each = (count: (events: readonly HistoryEvent[]) => number) =>
      (histories.reduce((sum, events) => sum + count(events), 0) - count(before)) / calls;
    return { events: each((events) => events.length), units: each(billedUnits) };
  },
}));
