import { z } from 'zod';
import { condition } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { ask, because, holds, startCondition } from './holding.js';
import { stays } from '../tree/outlook.js';

const attributes = z.object({
  condition,
  /** Tells whether it fails when its condition does not hold. */
  failOnFalse: z.boolean().default(true),
  /** Of its failure. */
  message: z.string().default('its condition does not hold'),
  /** Tells whether its condition held. Set by itself. */
  result: z.boolean().optional(),
});

/** Asks its condition once, when it starts. W3 */
export const EVALUATE_CONDITION = defineKind({
  name: 'EvaluateCondition',
  attributes,
  defaults: { sfShouldTerminate: true },
  start: (self) => startCondition(self),
  childUp: (self) => ask(self),
  // One whose condition does not hold does not come up.
  isStarting: (self) => !self.has('result'),
  evaluated(self, _child, verdict) {
    const its = holds(self, verdict);
    if (its === undefined) return;
    self.set('result', its);
    if (!its && self.attribute('failOnFalse')) self.fail(because(self.attribute('message'), verdict));
    else self.finish('normal', `its condition ${its ? 'holds' : 'does not hold'}`);
  },
  childEnded: (self, _child, end) => self.endAs(end),
  endless: stays,
  doing: () => 'asks its condition',
});

export const evaluateCondition = maker('EvaluateCondition', attributes);
