import { z } from 'zod';
import { ask, holds, startCondition } from './holding.js';
import { condition, delay } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind, type Self } from '../tree/kind.js';

const attributes = z.object({
  message: z.string().default('failure'),
  /** Is true if it ends normally all the same. */
  normal: z.boolean().default(false),
  /** How long it waits before. */
  delay: delay.default(0),
  /** It fails only if this holds then. */
  condition: condition.optional(),
});

/** Ends as soon as it is started, or after a time, or then if a condition holds. W1 */
export const FAIL = defineKind({
  name: 'Fail',
  attributes,
  start(self) {
    if (self.has('condition')) startCondition(self);
    const its = self.attribute('delay');
    if (its > 0) self.wait(its);
    else if (!self.has('condition')) fails(self);
  },
  childUp(self) {
    if (self.attribute('delay') === 0) ask(self);
  },
  due(self) {
    if (self.has('condition')) ask(self);
    else fails(self);
  },
  evaluated(self, _child, verdict) {
    const its = holds(self, verdict);
    if (its === true) fails(self);
    else if (its === false) self.end('normal', 'its condition does not hold');
  },
  childEnded: (self, _child, end) => self.endAs(end),
  doing: (self) => (self.children.length > 0 ? 'asks its condition' : 'waits'),
});

function fails(self: Self<typeof attributes.shape>): void {
  self.end(self.attribute('normal') ? 'normal' : 'abnormal', self.attribute('message'));
}

export const fail = maker('Fail', attributes);
/** The source's other name for it. */
export const failAbnormal = maker('Fail', attributes);
