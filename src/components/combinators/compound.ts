import { z } from 'zod';
import { holder } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { declaredChildren } from './action.js';
import { launchNext } from './launch-next.js';

const attributes = z.object({});

/** Its children live together: the end of any of them, even a normal one, ends it and the others. W1 */
export const COMPOUND = defineKind({
  name: 'Compound',
  attributes,
  takesChildren: true,
  along: declaredChildren,
  start: launchNext,
  childUp: launchNext,
  childLeft: launchNext,
  childEnded: (self, _child, end) => self.endAs(end),
  endless({ children }) {
    if (children.length === 0) return 'it has no children that could end it';
    return children.every((each) => each !== undefined) ? children[0] : undefined;
  },
  doing: (self) => `holds ${self.children.length} components`,
});

export const compound = holder('Compound', attributes);
