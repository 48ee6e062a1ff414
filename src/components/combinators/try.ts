import { z } from 'zod';
import { describe, type Description, type Value } from '../description/description.js';
import { template } from '../description/fields.js';
import type { AttributesOf } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { startAction } from './action.js';

const attributes = z.object({ action: template });

/** Runs its action, and then what goes on after such an end, if it has that: `normal`, `abnormal`, or any other type. W1 */
export const TRY = defineKind({
  name: 'Try',
  attributes,
  takesTemplates: true,
  start(self) {
    self.keep('running');
    startAction(self);
  },
  childEnded(self, child, end) {
    if (child.name !== self.local<string>()) return;
    const goesOn = child.name === 'running' && end.type !== 'action' && self.has(end.type);
    if (!goesOn) return self.endAs(end);
    self.keep(end.type);
    startAction(self, end.type, end.type);
  },
  waitsForEnds: true,
  endless: (outlook) => outlook.held('action') ?? outlook.held('normal'),
  doing: (self) => `runs ${self.local<string>() === 'running' ? 'its action' : `'${self.local<string>()}'`}`,
});

/** A name of its own, since `try` is a word of the language. */
export function tryThen(
  given: AttributesOf<typeof attributes.shape> & Readonly<Record<string, Value | undefined>>,
): Description {
  return describe('Try', given as Record<string, Value>);
}
