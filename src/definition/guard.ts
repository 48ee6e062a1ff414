import { describeCondition, type Condition } from './condition.js';
import type { DeclaredRejection } from './rejection.js';

/** A condition without which an event is not valid, also where its state allows it. S2.2 */
export interface Guard<Subject extends string = string> {
  /** The condition: a comparison of properties, links and parameters, or several with `and`, `or` and `not`. */
  readonly is: Condition<Subject>;
  /** The answer where the condition does not hold. Default: `not_allowed_now`, with the condition in words. */
  readonly otherwise?: DeclaredRejection;
}

/** The code of the answer where a guard that does not hold declares none. */
export const NOT_ALLOWED_NOW = 'not_allowed_now';

/** The guards of an event in words, as the arrows of a diagram have them; empty where there are none. */
export function describeGuards(when: readonly Guard[] = []): string {
  return when.length === 0 ? '' : `[${when.map(({ is }) => describeCondition(is)).join('; ')}]`;
}
