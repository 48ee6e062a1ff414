import { z } from 'zod';
import { anything, template, time } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind, type Self } from '../tree/kind.js';
import { startAction } from './action.js';
import type { End } from '../tree/tree.js';
import { stays } from '../tree/outlook.js';

const attributes = z.object({
  action: template,
  /** How long the action may take. 0 or a negative time is no limit. */
  timeout: time.default(0),
  /** The type of the end that is expected: with it, any other end is abnormal, and this one normal. */
  exitType: z.string().optional(),
  /** A text that the description of the expected end contains. */
  exitText: z.string().optional(),
  /** `normal`, `abnormal` or `timed out`. Set by itself. */
  outcome: z.string().optional(),
  /** The record of the action's end. Set by itself. */
  status: anything,
});

/** Runs its action for a time, and records how it ended. It ends as that does. W1 */
export const TEST_BLOCK = defineKind({
  name: 'TestBlock',
  attributes,
  defaults: { sfShouldTerminate: true },
  start(self) {
    const most = self.attribute('timeout');
    startAction(self);
    if (most > 0) self.wait(most);
  },
  due(self) {
    self.set('outcome', 'timed out');
    for (const child of self.children) self.endChild(child.id, 'abnormal', 'timed out');
  },
  childEnded(self, child, end) {
    self.stopWaiting();
    if (!self.has('outcome')) self.set('outcome', end.type === 'normal' ? 'normal' : 'abnormal');
    const description = child.undeployed ? `Failed to start up action: ${end.description}` : end.description;
    const status = { ...end, description };
    self.set('status', status);
    self.finishAs(asExpected(self, status));
  },
  endless(outlook) {
    const most = time.safeParse(outlook.value('timeout'));
    return (most.success && most.data <= 0 ? outlook.held('action') : undefined) ?? stays(outlook);
  },
  doing: (self) => (self.has('outcome') ? 'keeps the results' : 'runs its action'),
});

/** The record of the end, or what of it was not expected. */
function asExpected(self: Self<typeof attributes.shape>, status: End): End {
  const [type, text] = [self.attribute('exitType'), self.attribute('exitText')];
  if (type === undefined && text === undefined) return status;
  const wrong = [
    ...(type !== undefined && status.type !== type ? [`of the type '${type}'`] : []),
    ...(text !== undefined && !status.description.includes(text) ? [`with '${text}'`] : []),
  ];
  if (wrong.length === 0) return self.record('normal', `it ended as expected: ${status.description}`);
  const was = `${status.type}: ${status.description}`;
  return self.record('abnormal', `an end ${wrong.join(' and ')} was expected, and it was ${was}`);
}

export const testBlock = maker('TestBlock', attributes);
