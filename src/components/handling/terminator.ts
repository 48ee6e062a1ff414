import { z } from 'zod';
import { target } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind, type Self, type Target } from '../tree/kind.js';
import { ReferenceFailed } from '../tree/resolve.js';

const attributes = z.object({
  /** The component that it ends. Without one, it ends itself only. */
  kill: target.optional(),
  /** How the other one ends. */
  type: z.string().default('normal'),
  /** How it ends itself. */
  selftype: z.string().default('normal'),
  /** Of both ends. */
  description: z.string().default('terminator action'),
  /** Tells whether the other one leaves its parent before, so that the parent does not hear of it. */
  detachFirst: z.boolean().default(false),
});

/** Ends another component, then itself. W4 */
export const TERMINATOR = defineKind({
  name: 'Terminator',
  attributes,
  start(self) {
    const description = self.attribute('description');
    const target = victim(self);
    if (target) self.endOther(target, self.attribute('type'), description, self.attribute('detachFirst'));
    self.end(self.attribute('selftype'), description);
  },
});

/** One that is not there, or not there any more, needs no end. */
function victim(self: Self<typeof attributes.shape>): Target | undefined {
  if (!self.has('kill')) return undefined;
  try {
    return self.target('kill');
  } catch (thrown) {
    if (!(thrown instanceof ReferenceFailed)) throw thrown;
    self.log(`There is nothing to end: ${thrown.message}`);
    return undefined;
  }
}

export const terminator = maker('Terminator', attributes);
