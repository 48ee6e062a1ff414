import { z } from 'zod';
import { template, time } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { startAction } from './action.js';

const attributes = z.object({
  action: template,
  /** 0 ends it at once; a negative time never. */
  time: time.default(0),
});

/** Runs its action for a time, then ends it and itself normally. An end before that is passed on. W1 */
export const DURING = defineKind({
  name: 'During',
  attributes,
  start(self) {
    const its = self.attribute('time');
    startAction(self);
    if (its >= 0) self.wait(its);
  },
  due: (self) => self.end('normal', 'its time is over'),
  childEnded: (self, _child, end) => self.endAs(end),
  endless(outlook) {
    const its = time.safeParse(outlook.value('time'));
    return its.success && its.data < 0 ? outlook.held('action') : undefined;
  },
  doing: () => 'runs its action until its time is over',
});

export const during = maker('During', attributes);
