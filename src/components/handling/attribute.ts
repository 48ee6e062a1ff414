import { z } from 'zod';
import { anything, target } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';

const attributes = z.object({
  /** The component whose attribute it is. */
  component: target,
  name: z.string(),
  /** Left out, the attribute is removed. */
  value: anything,
});

/** Sets, replaces or removes an attribute of another component, then ends. W4 */
export const ATTRIBUTE = defineKind({
  name: 'Attribute',
  attributes,
  start(self) {
    const value = self.has('value') ? self.resolved('value') : undefined;
    self.setOther(self.target('component'), self.attribute('name'), value);
    self.end('normal', `'${self.attribute('name')}' is ${value === undefined ? 'removed' : 'set'}`);
  },
});

export const attribute = maker('Attribute', attributes);
