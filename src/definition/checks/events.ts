import { isByState } from '../busy.js';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity, EventShape } from '../entity.js';
import { asList } from '../names.js';
import { eventActions, unknownStates } from './graph.js';

/** Each event has known states, an action in each state where it is valid, and no answer where none is needed. */
export function eventProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return Object.entries(entity.events).flatMap(([name, event]) => {
    const place = `events.${name}`;
    const states = asList(event.in);
    const problems: DeclarationProblem[] = [...unknownStates(entity, `${place}.in`, states)];
    if (states.length === 0) {
      problems.push({
        place: `${place}.in`,
        problem: 'is valid nowhere',
        remedy: 'Name the states in which it is valid.',
      });
    }
    for (const state of states.filter((each) => Object.hasOwn(entity.states, each))) {
      const actions = eventActions(entity, name, state);
      if (actions.length === 0) {
        const remedy = `Declare an action with on: '${name}', in: '${state}'.`;
        problems.push({ place: `${place}.in`, problem: `is valid in ${state} and starts no action there`, remedy });
      }
      if (actions.length > 1) {
        const remedy = 'Keep one of them for this state.';
        problems.push({
          place: `${place}.in`,
          problem: `starts two actions in ${state}: ${actions.join(', ')}`,
          remedy,
        });
      }
      const { ending } = entity.states[state]!;
      if (ending !== undefined) {
        const remedy = `Nothing leads out of a ${ending} state: name another state.`;
        problems.push({ place: `${place}.in`, problem: `is valid in the ${ending} state ${state}`, remedy });
      }
    }
    if (event.needs && !states.some((state) => entity.states[state]?.initial)) {
      problems.push({
        place: `${place}.needs`,
        problem: 'has no effect: the event creates no entity',
        remedy: 'Remove it, or make the event valid in the initial state.',
      });
    }
    problems.push(...busyProblems(entity, `${place}.busy`, event));
    const answered = Object.keys(event.otherwise ?? {});
    problems.push(...unknownStates(entity, `${place}.otherwise`, answered));
    for (const state of answered.filter((each) => states.includes(each))) {
      const remedy = `Remove it, or remove ${state} from 'in'.`;
      problems.push({
        place: `${place}.otherwise.${state}`,
        problem: `has no effect: the event is valid there`,
        remedy,
      });
    }
    return problems;
  });
}

/** Each state of `busy` is one in which an action runs, and an event can abort only where it is valid. S2.3 */
function busyProblems(
  entity: AnyEntity,
  place: string,
  { busy, in: states }: EventShape,
): readonly DeclarationProblem[] {
  if (busy === undefined || !isByState(busy)) return [];
  const named = Object.keys(busy);
  return [
    ...unknownStates(entity, place, named),
    ...named.flatMap((state): readonly DeclarationProblem[] => {
      if (!Object.hasOwn(entity.states, state)) return [];
      const at = `${place}.${state}`;
      if (!runsIn(entity, state)) {
        return [{ place: at, problem: `is never used: no action runs in ${state}`, remedy: 'Remove it.' }];
      }
      if (busy[state] !== 'abort' || asList(states).includes(state)) return [];
      const problem = `aborts nothing: the event is not valid in ${state}`;
      return [{ place: at, problem, remedy: `Remove it, or add ${state} to 'in'.` }];
    }),
  ];
}

function runsIn(entity: AnyEntity, state: string): boolean {
  return Object.values(entity.actions).some((action) => asList(action.in).includes(state));
}
