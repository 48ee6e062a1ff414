import type { AnyEntity } from '../entity.js';
import { deadSubscriptionProblems } from './dead-subscriptions.js';
import { internalEventProblems } from './internal-events.js';
import type { ModelProblem } from './problem.js';
import { referenceProblems } from './references.js';
import { settlingProblems } from './settling.js';
import { silentWaitProblems } from './silent-waits.js';

/**
 * Returns what is wrong with declarations that are to work together: a state from which an entity can never settle, an internal event
 * that nothing raises, a wait for reports that nobody can send, a subscription that can never fire, a name of something that
 * does not exist. S1.5
 */
export function checkModel(entities: readonly AnyEntity[]): readonly ModelProblem[] {
  return [
    ...referenceProblems(entities),
    ...entities.flatMap(settlingProblems),
    ...internalEventProblems(entities),
    ...entities.flatMap(silentWaitProblems),
    ...deadSubscriptionProblems(entities),
  ];
}
