import type { Case } from '../case.js';
import { createAll } from '../create-all.js';
import { readRun } from '../history.js';
import { untilRested } from '../until-rested.js';

const EVENTS = 10;

/** How long the history of an entity is when it has rested for a while. */
export const rest: Case = {
  name: 'rest',
  figures: [
    { name: 'events', title: 'history of an entity at rest', unit: 'events', budget: { of: 'reeve', atMost: 19 } },
  ],
  rounds: 1,
  warmUps: 0,
  async prepare(side) {
    const keys = await createAll(side, 'rest', 1);
    for (let event = 0; event < EVENTS; event++) await side.raise(keys[0]!, 'overhaul');
    return keys;
  },
  async round({ side, keys }) {
    if (side.name === 'reeve') await untilRested(side.worker);
    return { events: (await readRun(side.client, side.workflowId(keys[0]!))).length };
  },
};
