import { z } from 'zod';
import { delay, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind, type Self } from '../tree/kind.js';
import { startAction } from './action.js';
import { asAction } from '../tree/outlook.js';

const retries = z.custom<number | 'forever'>(
  (value) => value === 'forever' || (Number.isInteger(value) && Number(value) >= 0),
  {
    error: "is no number of retries: write 0 or more, or 'forever'",
  },
);
const attributes = z.object({
  action: template,
  /** How often it is tried again: 1 + retry runs at most. */
  retry: retries.default(1),
  /** Another name of `retry`. */
  retries: retries.optional(),
  /** The time between the end of one run and the start of the next. */
  delay: delay.default(0),
  /** How often it has been tried again. Set by itself. */
  count: z.int().default(0),
});

/** Runs its action until it ends normally. W1 */
export const RETRY = defineKind({
  name: 'Retry',
  attributes,
  start: (self) => run(self),
  childEnded(self, child, end) {
    const tried = self.local<number>()!;
    if (child.name !== `running_${tried}`) return;
    const most = self.attribute('retries') ?? self.attribute('retry');
    if (end.type === 'normal' || (most !== 'forever' && tried >= most)) return self.endAs(end);
    self.keep(tried + 1);
    self.forget(child.id);
    self.wait(self.attribute('delay'));
  },
  due: (self) => run(self),
  waitsForEnds: true,
  endless: asAction,
  doing(self) {
    const most = self.attribute('retries') ?? self.attribute('retry');
    return `is at try ${(self.local<number>() ?? 0) + 1}${most === 'forever' ? '' : ` of ${most + 1}`}`;
  },
});

function run(self: Self): void {
  const tried = self.local<number>() ?? 0;
  self.keep(tried);
  self.set('count', tried);
  startAction(self, 'action', `running_${tried}`);
}

export const retry = maker('Retry', attributes);
