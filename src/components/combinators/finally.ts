import { z } from 'zod';
import { delay, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { deployAction } from './action.js';
import { afterLast, lastTookTooLong, runLast } from './last-action.js';

const attributes = z.object({
  action: template,
  /** For how long the end waits for the action. */
  within: delay.default(60_000),
});

/** Deploys its action with it, and starts it when it is to end. W1 */
export const FINALLY = defineKind({
  name: 'Finally',
  attributes,
  start(self) {
    deployAction(self, 'action', 'running');
  },
  childEnded(self, child, end) {
    if (self.phase === 'ending') afterLast(self, 'running', child, end.type, end.description);
    else self.endAs(end);
  },
  ending: (self) => runLast(self, 'running', self.attribute('within')),
  due: (self) => lastTookTooLong(self, 'running'),
  endless: () => 'it waits until it is terminated',
  doing: (self) => (self.phase === 'ending' ? 'runs its action' : 'waits for its end'),
});

/** A name of its own, since `finally` is a word of the language. */
export const finallyDo = maker('Finally', attributes);
