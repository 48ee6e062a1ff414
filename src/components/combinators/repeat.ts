import { z } from 'zod';
import { template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { startAction } from './action.js';

const attributes = z.object({
  action: template,
  /** How often it runs. 0 is once; -1 is for ever. */
  repeat: z.int().min(-1, { error: 'is below -1: write how often, or -1 for no limit' }).default(1),
});

/** Runs its action again and again, until one ends other than normally. W1 */
export const REPEAT = defineKind({
  name: 'Repeat',
  attributes,
  start(self) {
    self.keep(1);
    startAction(self);
  },
  childEnded(self, child, end) {
    if (child.name !== 'running') return;
    const runs = self.local<number>()!;
    const repeat = self.attribute('repeat');
    if (end.type !== 'normal' || (repeat >= 0 && runs >= repeat)) return self.endAs(end);
    self.keep(runs + 1);
    self.forget(child.id);
    startAction(self);
  },
  waitsForEnds: true,
  endless(outlook) {
    return outlook.held('action') ?? (outlook.value('repeat') === -1 ? 'it repeats its action forever' : undefined);
  },
  doing(self) {
    const repeat = self.attribute('repeat');
    return `is at run ${self.local<number>() ?? 1}${repeat < 0 ? '' : ` of ${Math.max(1, repeat)}`}`;
  },
});

export const repeat = maker('Repeat', attributes);
