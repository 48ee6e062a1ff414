import { z } from 'zod';
import { describe, type Description, type Value } from '../description/description.js';
import type { AttributesOf } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  /** Tells whether only the first event that has a handler counts. */
  singleEvent: z.boolean().default(true),
});

/** Waits for events, and starts what is declared under their name, or else `otherwise`. W2 */
export const ON_EVENT = defineKind({
  name: 'OnEvent',
  attributes,
  takesTemplates: true,
  event(self, { event }) {
    const started = self.local<number>() ?? 0;
    if (started > 0 && self.attribute('singleEvent')) return;
    const named = typeof event === 'object' ? undefined : self.template(String(event));
    const handler = named ?? self.template('otherwise');
    if (handler === undefined) return;
    self.keep(started + 1);
    self.start(`${named === undefined ? 'otherwise' : String(event)}_${started}`, handler);
  },
  childEnded(self, child, end) {
    if (self.attribute('singleEvent') || end.type !== 'normal') self.endAs(end);
    else self.forget(child.id);
  },
  endless: (outlook) => (outlook.value('singleEvent') === false ? 'it handles one event after the other' : undefined),
  doing: (self) => (self.children.length === 0 ? 'waits for an event' : `handles ${self.children.length} events`),
});

/** Waits for events, and starts what an attribute with their name describes, or else `otherwise`. W2 */
export function onEvent(
  given: AttributesOf<typeof attributes.shape> & Readonly<Record<string, Value | undefined>>,
): Description {
  return describe('OnEvent', given as Record<string, Value>);
}
