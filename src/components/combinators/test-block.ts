import { z } from 'zod';
import { anything, template, time } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind, type Self } from '../tree/kind.js';
import type { End } from '../tree/tree.js';
import { startAction } from './action.js';
import { stays } from '../tree/outlook.js';

const attributes = z.object({
  action: template,
  /** How long the action may take. A negative time is for ever. */
  timeout: time.default(0),
  /** `normal`, `abnormal` or `timed out`. Set by itself. */
  outcome: z.string().optional(),
  /** The record of the action's end. Set by itself. */
  status: anything,
});

/** Runs its action for a time, and records how it ended. It ends normally itself. W1 */
export const TEST_BLOCK = defineKind({
  name: 'TestBlock',
  attributes,
  defaults: { sfShouldTerminate: true },
  start(self) {
    const most = self.attribute('timeout');
    startAction(self);
    if (most >= 0) self.wait(most);
  },
  due(self) {
    self.set('outcome', 'timed out');
    for (const child of self.children) self.endChild(child.id, 'abnormal', 'timed out');
  },
  childEnded(self, _child, end) {
    self.stopWaiting();
    if (!self.has('outcome')) self.set('outcome', end.type === 'normal' ? 'normal' : 'abnormal');
    record(self, end);
  },
  endless(outlook) {
    const most = time.safeParse(outlook.value('timeout'));
    return (most.success && most.data < 0 ? outlook.held('action') : undefined) ?? stays(outlook);
  },
  doing: (self) => (self.has('outcome') ? 'keeps the results' : 'runs its action'),
});

function record(self: Self, end: End): void {
  self.set('status', { ...end });
  self.finish('normal', `its action has ended: ${String(self.resolved('outcome'))}`);
}

export const testBlock = maker('TestBlock', attributes);
