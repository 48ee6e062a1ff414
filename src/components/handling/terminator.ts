import { z } from 'zod';
import { target } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  /** The component that it ends. Without one, it ends itself only. */
  kill: target.optional(),
  /** How the other one ends. */
  type: z.string().default('normal'),
  /** How it ends itself. */
  selftype: z.string().default('normal'),
  /** Of both ends. */
  description: z.string().default('terminator action'),
  /** Whether the other one leaves its parent before, so that the parent does not hear of it. */
  detachFirst: z.boolean().default(false),
});

/** Ends another component, then itself. W4 */
export const TERMINATOR = defineKind({
  name: 'Terminator',
  attributes,
  start(self) {
    const description = self.attribute('description');
    if (self.has('kill')) {
      self.endOther(self.target('kill'), self.attribute('type'), description, self.attribute('detachFirst'));
    }
    self.end(self.attribute('selftype'), description);
  },
});

export const terminator = maker('Terminator', attributes);
