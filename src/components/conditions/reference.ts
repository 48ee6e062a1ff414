import { z } from 'zod';
import { target } from '../description/fields.js';
import { maker } from '../description/written.js';
import { defineKind } from '../tree/kind.js';
import { ReferenceFailed } from '../tree/resolve.js';

/*
 * Conditions about where references lead now. W3
 */

const reference = z.object({ reference: target });
/** Holds if a reference leads to a component, or to a value. */
export const RESOLVES = defineKind({
  name: 'Resolves',
  attributes: reference,
  isCondition: true,
  mayLeadNowhere: true,
  evaluate: (self) =>
    self.answer({ holds: leads(() => self.target('reference')) || leads(() => self.resolved('reference')) }),
});
export const resolves = maker('Resolves', reference);

const component = z.object({ component: target });
/** Holds if a component of this tree is there, and does not end. */
export const IS_ALIVE = defineKind({
  name: 'IsAlive',
  attributes: component,
  isCondition: true,
  mayLeadNowhere: true,
  evaluate: (self) =>
    self.answer({ holds: leads(() => self.target('component')) && self.isAlive(self.target('component')) }),
});
export const isAlive = maker('IsAlive', component);

function leads(find: () => unknown): boolean {
  try {
    find();
    return true;
  } catch (thrown) {
    if (thrown instanceof ReferenceFailed) return false;
    throw thrown;
  }
}
