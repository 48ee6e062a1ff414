import { z } from 'zod';
import { delay as wait, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { startAction } from './action.js';
import { asAction } from '../tree/outlook.js';

const attributes = z.object({
  action: template.optional(),
  time: wait.default(0),
  /** Another name of `time`. */
  delay: wait.optional(),
});

/** Waits, then runs its action and ends as that does. Without an action, it ends after the wait. W1 */
export const DELAY = defineKind({
  name: 'Delay',
  attributes,
  start: (self) => self.wait(self.attribute('delay') ?? self.attribute('time')),
  due(self) {
    if (self.has('action')) startAction(self);
    else self.end('normal', 'its time is over');
  },
  childEnded: (self, _child, end) => self.endAs(end),
  endless: asAction,
  doing: (self) => (self.children.length === 0 ? 'waits' : 'runs its action'),
});

export const delay = maker('Delay', attributes);
