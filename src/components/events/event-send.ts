import { z } from 'zod';
import { anything } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({ event: anything });

/** Sends its event when it starts, then ends. W2 */
export const EVENT_SEND = defineKind({
  name: 'EventSend',
  attributes,
  sendsEvents: true,
  start(self) {
    self.send(self.resolved('event'));
    self.end('normal', 'its event is sent');
  },
  wrong: (given) =>
    'event' in given ? undefined : { code: 'missing', message: "it has no 'event'. Set the event that it sends" },
});

export const eventSend = maker('EventSend', attributes);
