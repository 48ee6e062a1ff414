import { z } from 'zod';
import type { Json } from '../description/description.js';
import { maker } from '../description/written.js';
import { defineKind, type Self, type Target } from '../tree/kind.js';

const attributes = z.object({
  /** How many events it keeps. When there are more, the oldest are forgotten. */
  limit: z.int().positive().default(1_000),
});

type Kept = {
  readonly events: readonly { readonly event: Json; readonly passed: readonly string[] }[];
  /** How many were forgotten. */
  readonly forgotten: number;
  /** How many each listener has been sent. */
  readonly sent: { readonly [listener: string]: number };
};

/** Keeps the events that it gets, and forwards all of them, in order, to whoever listens: also to those that come later. W2 */
export const EVENT_QUEUE = defineKind({
  name: 'EventQueue',
  attributes,
  keepsEvents: true,
  up: (self) => self.wait(0),
  event(self, event) {
    const { events, forgotten, sent } = kept(self);
    const all = [...events, event];
    const over = Math.max(0, all.length - self.attribute('limit'));
    self.keep({ events: all.slice(over), forgotten: forgotten + over, sent } as unknown as Json);
    self.wait(0);
  },
  due(self) {
    const { events, forgotten, sent } = kept(self);
    const listeners = new Map(self.listeners.map((each) => [nameOf(each), each]));
    const all = forgotten + events.length;
    const now = Object.fromEntries([...listeners.keys()].map((name) => [name, all]));
    self.keep({ events, forgotten, sent: now } as unknown as Json);
    for (const [index, event] of events.entries()) {
      const wanting = [...listeners].filter(([name]) => (sent[name] ?? 0) <= forgotten + index);
      self.deliver(
        event,
        wanting.map(([, each]) => each),
      );
    }
  },
  endless: () => 'it keeps events until it is terminated',
  doing: (self) => `keeps ${kept(self).events.length} events`,
});

function kept(self: Self): Kept {
  return (self.local<Json>() as unknown as Kept | undefined) ?? { events: [], forgotten: 0, sent: {} };
}

function nameOf(target: Target): string {
  return 'path' in target ? target.path : `#${target.id}`;
}

export const eventQueue = maker('EventQueue', attributes);
