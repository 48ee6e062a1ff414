import { z } from 'zod';
import { anything, time } from '../description/fields.js';
import { maker } from '../description/written.js';
import { describe, type Description, type Json } from '../description/description.js';
import { defineKind } from '../tree/kind.js';

/*
 * Conditions about values. W3
 */

const held = z.object({ value: z.boolean() });
/** The current value of its attribute. */
export const VALUE = defineKind({
  name: 'Value',
  attributes: held,
  isCondition: true,
  evaluate: (self) => self.answer({ holds: self.attribute('value') }),
});
export const value = maker('Value', held);

/** Always holds. */
export const isTrue = (): Description => describe('Value', { value: true });
/** Never holds. */
export const isFalse = (): Description => describe('Value', { value: false });

const sides = z.object({ left: anything, right: anything });
/** Tells whether two values are equal. */
export const EQUALS = defineKind({
  name: 'Equals',
  attributes: sides,
  isCondition: true,
  evaluate: (self) => self.answer({ holds: equal(self.resolved('left'), self.resolved('right')) }),
});
export const equals = maker('Equals', sides);

const texts = sides.extend({
  /** Upper and lower case are different. */
  caseSensitive: z.boolean().default(true),
});
/** Holds if two values are equal as texts. */
export const STRING_EQUALS = defineKind({
  name: 'StringEquals',
  attributes: texts,
  isCondition: true,
  evaluate(self) {
    const [left, right] = [text(self.resolved('left')), text(self.resolved('right'))];
    const same = left === right || (!self.attribute('caseSensitive') && left.toLowerCase() === right.toLowerCase());
    self.answer({ holds: same });
  },
});
export const stringEquals = maker('StringEquals', texts);

const lengths = z.object({
  value: anything,
  minimum: z.int().nonnegative().default(0),
  maximum: z.int().nonnegative().optional(),
});
/** Holds if the length of a text is within its limits. */
export const STRING_LENGTH = defineKind({
  name: 'StringLength',
  attributes: lengths,
  isCondition: true,
  evaluate(self) {
    const { length } = text(self.resolved('value'));
    const [minimum, maximum] = [self.attribute('minimum'), self.attribute('maximum')];
    if (length >= minimum && length <= (maximum ?? Infinity)) return self.answer({ holds: true });
    const allowed = maximum === undefined ? `${minimum} or more` : `${minimum} to ${maximum}`;
    self.answer({ holds: false, why: `its text has ${length} characters, and ${allowed} are wanted` });
  },
});
export const stringLength = maker('StringLength', lengths);

const assertion = z.object({
  isTrue: z.boolean().optional(),
  isFalse: z.boolean().optional(),
  /** Equal to `right`, when both are given. */
  left: anything,
  right: anything,
});
/** Tells whether all that is asserted holds. */
export const ASSERT = defineKind({
  name: 'AssertCondition',
  attributes: assertion,
  isCondition: true,
  evaluate(self) {
    const wrong: string[] = [];
    if (self.attribute('isTrue') === false) wrong.push('isTrue is false');
    if (self.attribute('isFalse') === true) wrong.push('isFalse is true');
    if (self.has('left')) {
      const [left, right] = [self.resolved('left'), self.resolved('right')];
      if (!equal(left, right)) wrong.push(`left is ${told(left)}, and right is ${told(right)}`);
    }
    self.answer(wrong.length === 0 ? { holds: true } : { holds: false, why: wrong.join(', ') });
  },
});

/** Holds if `isTrue` is true, `isFalse` is false and `left` equals `right`, as far as these are given. */
export const assertCondition = maker('AssertCondition', assertion);

const ages = z.object({
  milliseconds: time.default(0),
  seconds: z.number().default(0),
  minutes: z.number().default(0),
  hours: z.number().default(0),
  days: z.number().default(0),
});
/** Tells whether it has been deployed for so long: the sum of its attributes. */
export const RUNNING_FOR = defineKind({
  name: 'RunningFor',
  attributes: ages,
  isCondition: true,
  evaluate(self) {
    const hours = self.attribute('hours') + 24 * self.attribute('days');
    const seconds = self.attribute('seconds') + 60 * (self.attribute('minutes') + 60 * hours);
    self.answer({ holds: self.now - self.deployedAt >= self.attribute('milliseconds') + 1_000 * seconds });
  },
});
export const runningFor = maker('RunningFor', ages);

function equal(a: Json, b: Json): boolean {
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return a === b;
  const [one, other] = [a, b] as unknown as Readonly<Record<string, Json>>[];
  const names = Object.keys(one!);
  return (
    Array.isArray(a) === Array.isArray(b) &&
    names.length === Object.keys(other!).length &&
    names.every((name) => Object.hasOwn(other!, name) && equal(one![name]!, other![name]!))
  );
}

function told(given: Json): string {
  return JSON.stringify(given).slice(0, 100);
}

function text(given: Json): string {
  return typeof given === 'string' ? given : JSON.stringify(given);
}
