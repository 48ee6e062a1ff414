import { z } from 'zod';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  /** How many events it waits for. */
  count: z.int().nonnegative().default(1),
  /** Tells whether an event that equals an earlier one does not count. */
  allDifferent: z.boolean().default(true),
});

/** Ends when it has got enough events. W2 */
export const EVENT_COUNTER = defineKind({
  name: 'EventCounter',
  attributes,
  start(self) {
    if (self.attribute('count') === 0) self.end('normal', 'it has all its events');
  },
  event(self, { event }) {
    const counted = self.local<string[]>() ?? [];
    const text = inOrder(event);
    if (self.attribute('allDifferent') && counted.includes(text)) return;
    self.keep([...counted, text]);
    if (counted.length + 1 >= self.attribute('count')) self.end('normal', 'it has all its events');
  },
  doing: (self) => `has ${self.local<string[]>()?.length ?? 0} of ${self.attribute('count')} events`,
});

/** The event as a text that does not depend on the order of members. */
function inOrder(event: unknown): string {
  return JSON.stringify(event, (_, value: unknown) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

export const eventCounter = maker('EventCounter', attributes);
