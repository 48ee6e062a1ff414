import { z } from 'zod';
import { startAction } from '../combinators/action.js';
import { condition, delay, template, time } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { ask, holds, isCondition, startCondition } from './holding.js';

const attributes = z.object({
  /** The component that is tested. */
  action: template,
  /** Holds the tests back until it holds. */
  condition: condition.optional(),
  tests: template,
  /** For how long the condition is asked, without a limit where it is not given. 0 or a negative time: once. */
  timeout: time.optional(),
  interval: delay.default(1_000),
});

/** Deploys what is to be tested, waits until it is ready, runs the tests, and ends it. It ends as the tests do. W3 */
export const TEST_COMPOUND = defineKind({
  name: 'TestCompound',
  attributes,
  start(self) {
    startAction(self, 'action', 'action');
    if (self.has('condition')) startCondition(self);
  },
  up(self) {
    self.keep(self.now);
    if (self.has('condition')) ask(self);
    else startAction(self, 'tests', 'tests');
  },
  evaluated(self, _child, verdict) {
    const its = holds(self, verdict);
    if (its === undefined) return;
    if (its) return void startAction(self, 'tests', 'tests');
    const most = self.attribute('timeout');
    const left = self.local<number>()! + (most ?? Infinity) - self.now;
    if (left <= 0) return self.end('abnormal', 'its condition did not hold in time');
    self.wait(Math.min(self.attribute('interval'), left));
  },
  due: (self) => ask(self),
  childEnded(self, child, end) {
    if (child.name === 'tests' || end.type !== 'normal') return self.endAs(end);
    const what = isCondition(child) ? 'condition' : 'action';
    self.end('abnormal', `its ${what} has ended before its tests`);
  },
  endless: (outlook) => outlook.held('tests'),
  doing: (self) => (self.children.some(({ name }) => name === 'tests') ? 'runs its tests' : 'waits for its condition'),
});

export const testCompound = maker('TestCompound', attributes);
