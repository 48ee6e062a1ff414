import { z } from 'zod';
import { condition } from '../description/fields.js';
import { holder, maker } from '../description/written.js';
import { because } from './holding.js';
import { declaredChildren } from '../combinators/action.js';
import { launchNext } from '../combinators/launch-next.js';
import { defineKind, type Child, type Self } from '../tree/kind.js';
import type { Verdict } from '../tree/result.js';

/*
 * Conditions made of conditions. W3
 */

const nothing = z.object({});

/** A condition that asks its children in order, until it knows. */
function ofMany(
  name: string,
  knows: (self: Self, holds: boolean, last: boolean) => boolean | undefined,
  none: boolean,
) {
  return defineKind({
    name,
    attributes: nothing,
    isCondition: true,
    takesChildren: true,
    asksChildren: true,
    along: declaredChildren,
    start: launchNext,
    childUp: launchNext,
    childLeft: launchNext,
    childEnded: (self, _child, end) => self.endAs(end),
    evaluate(self) {
      const [first] = self.children;
      self.keep(false);
      if (first) self.evaluate(first.id);
      else self.answer({ holds: none });
    },
    evaluated(self, child: Child, verdict: Verdict) {
      if ('error' in verdict) return self.answer(verdict);
      const next = self.children[self.children.findIndex(({ id }) => id === child.id) + 1];
      const known = knows(self, verdict.holds, next === undefined);
      if (known !== undefined)
        self.answer(known ? { holds: true } : { holds: false, why: reason(self, child, verdict) });
      else if (next) self.evaluate(next.id);
    },
    doing: () => 'can be asked',
  });
}

/** Which of them does not hold. */
function reason(self: Self, child: Child, verdict: Extract<Verdict, { holds: boolean }>): string {
  if (self.children.length === 1 || !verdict.holds) return because(`'${child.name}' does not hold`, verdict);
  return 'an even number of them hold';
}

/** Tells whether all hold. It stops at the first that does not. */
export const AND = ofMany('And', (_, holds, last) => (!holds ? false : last ? true : undefined), true);
export const and = holder('And', nothing);

/** Tells whether any holds. It stops at the first that does. */
export const OR = ofMany('Or', (_, holds, last) => (holds ? true : last ? false : undefined), false);
export const or = holder('Or', nothing);

/** Tells whether an odd number of them hold. All of them are asked. */
export const XOR = ofMany(
  'Xor',
  (self, holds, last) => {
    const odd = (self.local<boolean>() ?? false) !== holds;
    self.keep(odd);
    return last ? odd : undefined;
  },
  false,
);
export const xor = holder('Xor', nothing);

const one = z.object({ condition });
/** Tells whether its condition does not hold. */
export const NOT = defineKind({
  name: 'Not',
  attributes: one,
  isCondition: true,
  start(self) {
    const its = self.template('condition');
    if (its === undefined) throw new TypeError("Attribute 'condition' holds no description: write a condition.");
    self.start('condition', its);
  },
  childEnded: (self, _child, end) => self.endAs(end),
  evaluate: (self) => self.evaluate(self.children[0]!.id),
  evaluated: (self, _child, verdict) => self.answer('error' in verdict ? verdict : { holds: !verdict.holds }),
  doing: () => 'can be asked',
});
export const not = maker('Not', one);
