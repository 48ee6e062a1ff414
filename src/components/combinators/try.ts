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
    self.keep('');
    startAction(self);
  },
  childEnded(self, child, end) {
    const chosen = self.local<string>()!;
    if (child.name !== (chosen || 'running')) return;
    const goesOn = chosen === '' && end.type !== 'action' && self.template(end.type) !== undefined;
    if (!goesOn) return self.endAs(end);
    self.keep(end.type);
    startAction(self, end.type, end.type);
  },
  waitsForEnds: true,
  endless: (outlook) => outlook.held('action') ?? outlook.held('normal'),
  doing: (self) => (self.local<string>() ? `continues with '${self.local<string>()}'` : 'runs its action'),
});

/** A name of its own, since `try` is a word of the language. */
export function tryThen(
  given: AttributesOf<typeof attributes.shape> & Readonly<Record<string, Value | undefined>>,
): Description {
  return describe('Try', given as Record<string, Value>);
}
