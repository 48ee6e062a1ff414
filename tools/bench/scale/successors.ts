import { timed } from '../callers.js';
import { readHistory } from '../history.js';
import type { ScaleCase } from './scale-case.js';

/** An operation that creates N entities and waits for all of them. */
export const successors: ScaleCase = {
  name: 'successors',
  figures: [
    { name: 'ms', title: 'an operation over N successors, for each', unit: 'ms' },
    { name: 'events', title: 'history of operation and parent, for each successor', unit: 'events' },
    { name: 'bytes', title: 'its size, for each successor', unit: 'KB' },
  ],
  sizes: [10, 100, 1_000],
  async measure(side, size) {
    let ids: readonly string[] = [];
    const { ms } = await timed(async () => (ids = await side.build(`of-${size}`, size)));
    const events = (await Promise.all(ids.map((id) => readHistory(side.client, id)))).flat();
    const bytes = events.reduce((sum, event) => sum + JSON.stringify(event).length, 0);
    await side.clear();
    return { ms: ms / size, events: events.length / size, bytes: bytes / 1024 / size };
  },
};
