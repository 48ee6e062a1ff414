import type { DeclarationProblem } from '../declaration-error.js';
import { durationProblems } from './durations.js';
import type { ActionShape, AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { unknownEvent, unknownStates } from './graph.js';

/** Each action has known states and a known event, and does not run in a state where nothing starts it. */
export function actionProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return Object.entries(entity.actions).flatMap(([name, action]) => {
    const place = `actions.${name}`;
    const states = asList(action.in);
    const problems: DeclarationProblem[] = [
      ...unknownStates(entity, `${place}.in`, states),
      ...unknownStates(entity, `${place}.to`, asList(action.to)),
    ];
    if (states.length === 0) {
      problems.push({ place: `${place}.in`, problem: 'runs nowhere', remedy: 'Name the states in which it runs.' });
    }
    for (const state of states) {
      const ending = entity.states[state]?.ending;
      if (ending === undefined) continue;
      const remedy = `A ${ending} state has no transitions, not even one to itself.`;
      problems.push({ place: `${place}.in`, problem: `runs in the ${ending} state ${state}`, remedy });
    }
    problems.push(...waitProblems(entity, place, action));
    if (action.on === undefined) return problems;
    const event = Object.hasOwn(entity.events, action.on) ? entity.events[action.on] : undefined;
    if (!event) return [...problems, unknownEvent(entity, `${place}.on`, action.on)];
    const valid = asList(event.in);
    for (const state of states.filter((each) => Object.hasOwn(entity.states, each) && !valid.includes(each))) {
      const remedy = `Add ${state} to events.${action.on}.in, or remove it here.`;
      problems.push({
        place: `${place}.in`,
        problem: `never runs in ${state}: '${action.on}' is not valid there`,
        remedy,
      });
    }
    return problems;
  });
}

/** A wait is for the automatic action of the state that is entered. S3.5 */
function waitProblems(entity: AnyEntity, place: string, { wait, to }: ActionShape): readonly DeclarationProblem[] {
  if (wait === undefined) return [];
  const acts = asList(to).some((target) => entity.states[target]?.stability === 'unstable');
  const remedy = 'Remove it, or let the action go to an unstable state.';
  return [
    ...durationProblems(`${place}.wait`, wait),
    ...(acts
      ? []
      : [
          {
            place: `${place}.wait`,
            problem: 'has no effect: it delays an automatic action, and no target is an unstable state',
            remedy,
          },
        ]),
  ];
}
