import type { Child, Self } from '../tree/kind.js';
import type { Verdict } from '../tree/result.js';

/** Starts the condition of a component: it is asked when it is up. */
export function startCondition(self: Self): void {
  const its = self.template('condition');
  if (its === undefined) throw new TypeError("Attribute 'condition' holds no description: write a condition.");
  self.start('condition', its);
}

export function isCondition({ name }: Pick<Child, 'name'>): boolean {
  return name === 'condition';
}

/** Asks the condition of a component. */
export function ask(self: Self): void {
  const its = self.children.find(isCondition);
  if (its) self.evaluate(its.id);
}

/** Tells whether the condition holds. An exception is a failure of who asked, not `false`: it then ends. W-8 */
export function holds(self: Self, verdict: Verdict): boolean | undefined {
  if ('holds' in verdict) return verdict.holds;
  self.fail(`its condition failed: ${verdict.error.message}`);
  return undefined;
}

/** A message, with what of the condition does not hold. */
export function because(message: string, verdict: Verdict): string {
  return 'why' in verdict && verdict.why !== undefined ? `${message}: ${verdict.why}` : message;
}

/** Starts one of two branches as `running`. Without it, the work is done. */
export function branch(self: Self, name: 'then' | 'else', why: string): void {
  const its = self.template(name);
  if (its === undefined) self.finish('normal', why);
  else self.start('running', its);
}
