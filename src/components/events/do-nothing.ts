import { z } from 'zod';
import { time } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  time: time.default(10_000),
  /** How it ends; `none`: it does not end by itself. */
  terminationType: z.string().default('normal'),
  /** The text that it writes into the log when it starts. */
  message: z.string().optional(),
  /** Tells whether it writes events that it gets into the log. */
  printEvents: z.boolean().default(true),
});

/** Does nothing for a time: a stand-in for work that is yet to be written, and a way to see events. W1 */
export const DO_NOTHING = defineKind({
  name: 'DoNothing',
  attributes,
  start(self) {
    const message = self.attribute('message');
    if (message !== undefined) self.log(message);
    if (self.attribute('terminationType') !== 'none') self.wait(Math.max(0, self.attribute('time')));
  },
  due: (self) => self.end(self.attribute('terminationType'), self.attribute('message') ?? 'its time is over'),
  event(self, { event }) {
    if (self.attribute('printEvents')) self.log(`event ${JSON.stringify(event)}`);
  },
  endless: (outlook) => (outlook.value('terminationType') === 'none' ? 'it never ends' : undefined),
  doing: () => 'does nothing',
});

export const doNothing = maker('DoNothing', attributes);
