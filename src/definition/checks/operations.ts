import { parseDuration } from '../duration.js';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { raisedEventProblems } from './raised-event.js';

/** Checks what a declaration says about operations: the event that answers a request to cancel, and budgets. S4.7, S5.3 */
export function operationProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const cancel = entity.cancel === undefined ? [] : raisedEventProblems(entity, 'cancel', entity.cancel);
  const budgets = Object.entries(entity.events).flatMap(([name, { budget }]) => {
    const milliseconds = budget === undefined ? 1 : parseDuration(budget);
    if (milliseconds) return [];
    const problem = milliseconds === 0 ? 'lasts no time' : `'${String(budget)}' is not a duration`;
    return [{ place: `events.${name}.budget`, problem, remedy: `Write milliseconds, or '30s', '5m', '2h'.` }];
  });
  return [...cancel, ...budgets];
}
