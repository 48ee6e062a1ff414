import { z } from 'zod';
import { condition } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { ask, because, holds, startCondition } from './holding.js';

const attributes = z.object({
  condition,
  /** Of its failure. */
  message: z.string().default('its condition does not hold'),
});

/** Asks its condition whenever it is pinged, and fails when that does not hold. W3 */
export const LIVENESS_TEST = defineKind({
  name: 'LivenessTest',
  attributes,
  start: (self) => startCondition(self),
  ping(self) {
    // A ping that comes while the condition is still being asked adds nothing.
    if (self.local<boolean>()) return;
    self.keep(true);
    ask(self);
  },
  evaluated(self, _child, verdict) {
    self.keep(false);
    if (holds(self, verdict) === false) self.end('abnormal', because(self.attribute('message'), verdict));
  },
  childEnded: (self, _child, end) => self.endAs(end),
  endless: () => 'it stays as long as its condition holds',
  doing: () => 'asks its condition when it is pinged',
});

export const livenessTest = maker('LivenessTest', attributes);
