import { z } from 'zod';
import { holder } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { firstEndless, stays } from '../tree/outlook.js';

const attributes = z.object({});

/** Its children run one after the other, each when the one before it has ended normally. W1 */
export const SEQUENCE = defineKind({
  name: 'Sequence',
  attributes,
  takesChildren: true,
  defaults: { sfShouldTerminate: true },
  start(self) {
    const [first] = self.declared;
    if (!first) return self.finish('normal', 'it is empty');
    self.keep(0);
    self.start(...first);
  },
  childEnded(self, child, end) {
    const at = self.local<number>() ?? 0;
    // A component that was added by a `run` with a parent is none of its steps.
    if (end.type !== 'normal') return self.endAs(end);
    if (child.name !== self.declared[at]?.[0]) return;
    const next = self.declared[at + 1];
    if (!next) return self.complete(end);
    self.keep(at + 1);
    self.start(...next);
  },
  waitsForEnds: true,
  endless: (outlook) => firstEndless(outlook.children) ?? (outlook.children.length === 0 ? stays(outlook) : undefined),
  doing: (self) => `runs ${(self.local<number>() ?? 0) + 1} of ${self.declared.length}`,
});

export const sequence = holder('Sequence', attributes);
