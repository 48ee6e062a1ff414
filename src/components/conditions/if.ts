import { z } from 'zod';
import { condition, template } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { ask, branch, holds, isCondition, startCondition } from './holding.js';

const attributes = z.object({ condition, then: template.optional(), else: template.optional() });

/** Runs `then` when its condition holds, else `else`, and ends as that does. W3 */
export const IF = defineKind({
  name: 'If',
  attributes,
  defaults: { sfShouldTerminate: true },
  start: (self) => startCondition(self),
  childUp(self, child) {
    if (isCondition(child)) ask(self);
  },
  evaluated(self, _child, verdict) {
    const its = holds(self, verdict);
    if (its !== undefined) branch(self, its ? 'then' : 'else', `its condition ${its ? 'holds' : 'does not hold'}`);
  },
  childEnded: (self, _child, end) => self.endAs(end),
  endless(outlook) {
    return outlook.held('else') && outlook.held('then');
  },
  doing: (self) => (self.children.length > 1 ? 'runs the chosen branch' : 'asks its condition'),
});

/** A name of its own, since `if` is a word of the language. */
export const ifThen = maker('If', attributes);
