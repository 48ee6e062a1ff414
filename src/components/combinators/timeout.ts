import { asDeclared } from '../../definition/duration.js';
import { z } from 'zod';
import { delay, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { startAction } from './action.js';

const attributes = z.object({
  action: template,
  /** 0 ends it at once. */
  time: delay.default(0),
});

/** Runs its action, and fails when that has not ended in time. An end before that is passed on. W1 */
export const TIMEOUT = defineKind({
  name: 'Timeout',
  attributes,
  start(self) {
    const its = self.attribute('time');
    startAction(self);
    self.wait(its);
  },
  due: (self) => self.end('abnormal', `its action has not ended within ${asDeclared(self.attribute('time'))}`),
  childEnded: (self, _child, end) => self.endAs(end),
  doing: () => 'waits for its action to end in time',
});

export const timeout = maker('Timeout', attributes);
