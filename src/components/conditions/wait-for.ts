import { z } from 'zod';
import { describe, type Description, type Value } from '../description/description.js';
import { condition, delay, template, time } from '../description/fields.js';
import { ref } from '../description/reference.js';
import { maker, type AttributesOf } from '../description/written.js';
import { terminator } from '../handling/terminator.js';
import { defineKind } from '../tree/kind.js';
import { ask, branch, holds, isCondition, startCondition } from './holding.js';

const attributes = z.object({
  condition,
  then: template.optional(),
  else: template.optional(),
  /** For how long it asks, without a limit where it is not given. 0 or a negative time: once. */
  timeout: time.optional(),
  /** The time between two questions. The first comes at once. */
  interval: delay.default(1_000),
  /** For what it holds: `else` of `failingWaitFor` refers to it. */
  message: z.string().default('Timed out'),
});

/** Waits until its condition holds, then runs `then`; when that takes too long, `else`. It ends as that does. W3 */
export const WAIT_FOR = defineKind({
  name: 'WaitFor',
  attributes,
  defaults: { sfShouldTerminate: true },
  start: (self) => startCondition(self),
  up(self) {
    self.keep(self.now);
    ask(self);
  },
  evaluated(self, _child, verdict) {
    const its = holds(self, verdict);
    if (its === undefined) return;
    if (its) return branch(self, 'then', 'its condition holds');
    const most = self.attribute('timeout');
    const left = self.local<number>()! + (most ?? Infinity) - self.now;
    if (left <= 0) return branch(self, 'else', 'its condition did not hold in time');
    self.wait(Math.min(self.attribute('interval'), left));
  },
  due: (self) => ask(self),
  childEnded(self, child, end) {
    if (!isCondition(child) || end.type !== 'normal') return self.endAs(end);
    self.end('abnormal', 'its condition has ended');
  },
  endless: (outlook) => outlook.held('then'),
  doing: (self) => (self.children.length > 1 ? 'runs its branch' : 'waits for its condition'),
});

export const waitFor = maker('WaitFor', attributes);

/** Fails when its condition does not hold in time, with its `message`. */
export function failingWaitFor(given: AttributesOf<typeof attributes.shape>): Description {
  const otherwise = terminator({ description: ref('../message'), selftype: 'abnormal' });
  return describe('WaitFor', { else: otherwise, ...given } as unknown as Record<string, Value>);
}
