import { z } from 'zod';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  message: z.string().default('failure'),
  /** Whether it ends normally all the same. */
  normal: z.boolean().default(false),
});

/** Ends as soon as it is started. W1 */
export const FAIL = defineKind({
  name: 'Fail',
  attributes,
  start: (self) => self.end(self.attribute('normal') ? 'normal' : 'abnormal', self.attribute('message')),
});

export const fail = maker('Fail', attributes);
/** The source's other name for it. */
export const failAbnormal = maker('Fail', attributes);
