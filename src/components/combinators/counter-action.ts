import { z } from 'zod';
import { delay, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { deployAction } from './action.js';
import { afterLast, lastTookTooLong, runLast } from './last-action.js';

const attributes = z.object({
  /** Deployed and started with it. */
  action: template,
  /** Deployed with it, and started when it is to end. */
  counterAction: template.optional(),
  /** Answers all pings, in the place of the others. */
  liveness: template.optional(),
  /** For how long the end waits for the counteraction. */
  within: delay.default(60_000),
});

/** Makes two workflows look like one static deployment: one runs at its start, the other at its end. W1 */
export const COUNTER_ACTION = defineKind({
  name: 'CounterAction',
  attributes,
  start(self) {
    const [action, , liveness] = ['action', 'counterAction', 'liveness'].map((name) => deployAction(self, name));
    for (const child of [action, liveness]) if (child !== undefined) self.launch(child);
  },
  childEnded(self, child, end) {
    if (self.phase === 'ending') return afterLast(self, 'counterAction', child, end.type, end.description);
    // The result of the action stays until the end, whatever became of the action.
    if (child.undeployed || child.name === 'liveness') self.endAs(end);
  },
  ending: (self) => runLast(self, 'counterAction', self.attribute('within')),
  due: (self) => lastTookTooLong(self, 'counterAction'),
  ping(self) {
    const liveness = self.children.find(({ name }) => name === 'liveness');
    if (liveness) self.pingChild(liveness.id);
    return 'stop';
  },
  endless: () => 'it stays until it is terminated',
  doing: (self) => (self.phase === 'ending' ? 'runs its counteraction' : 'is deployed'),
});

export const counterAction = maker('CounterAction', attributes);
