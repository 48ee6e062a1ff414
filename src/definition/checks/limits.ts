import type { DeclarationProblem } from '../declaration-error.js';
import { parseDuration } from '../duration.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { unknownStates } from './graph.js';
import { raisedEventProblems } from './raised-event.js';

/** Each limit over several states has a length, at least two states that can last, and an event that is valid in all of them. S4.5 */
export function limitProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return Object.entries(entity.limits ?? {}).flatMap(([name, { in: states, after, raise }]) => {
    const place = `limits.${name}`;
    const problems: DeclarationProblem[] = [
      ...unknownStates(entity, `${place}.in`, states),
      ...raisedEventProblems(entity, `${place}.raise`, raise),
    ];
    if (new Set(states).size < 2) {
      const remedy = 'Name at least two states. To limit a single state, declare a deadline in that state.';
      problems.push({ place: `${place}.in`, problem: 'names fewer than two states', remedy });
    }
    if (!((parseDuration(after) ?? 0) >= 1)) {
      const problem = `'${String(after)}' is no length of time`;
      problems.push({ place: `${place}.after`, problem, remedy: `Write milliseconds, or '30s', '5m', '2h'.` });
    }
    for (const state of states.filter((each) => Object.hasOwn(entity.states, each))) {
      if (entity.states[state]!.ending !== undefined) {
        problems.push({
          place: `${place}.in`,
          problem: `never runs in ${state}, which ends the entity`,
          remedy: 'Remove it.',
        });
      } else if (Object.hasOwn(entity.events, raise) && !asList(entity.events[raise]!.in).includes(state)) {
        const remedy = `Add ${state} to events.${raise}.in, or raise another event.`;
        problems.push({ place: `${place}.raise`, problem: `'${raise}' is not valid in ${state}`, remedy });
      }
    }
    return problems;
  });
}
