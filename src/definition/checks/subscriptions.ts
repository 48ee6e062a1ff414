import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity, SubscriptionShape } from '../entity.js';
import { asList } from '../names.js';
import type { Predicate } from '../predicate.js';
import { unknownStates } from './graph.js';
import { foregone, patternsIn } from './patterns.js';
import { raisedEventProblems } from './raised-event.js';

/** Each subscription has an event that it can raise and a pattern that can appear. */
export function subscriptionProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  for (const [name, subscription] of Object.entries(entity.subscriptions)) {
    const place = `subscriptions.${name}`;
    problems.push(...raisedEventProblems(entity, `${place}.raise`, subscription.raise));
    problems.push(...stateProblems(entity, place, subscription));
    problems.push(...patternProblems(entity, `${place}.when`, subscription.when));
  }
  return problems;
}

/** It names states in which its event is valid. */
function stateProblems(
  entity: AnyEntity,
  place: string,
  { in: named, raise }: SubscriptionShape,
): readonly DeclarationProblem[] {
  if (named === undefined || !Object.hasOwn(entity.events, raise)) return [];
  const valid = asList(entity.events[raise]!.in);
  const states = asList(named);
  if (states.length === 0) {
    const remedy = 'Name the states in which it fires, or leave it out.';
    return [{ place: `${place}.in`, problem: 'fires nowhere', remedy }];
  }
  return [
    ...unknownStates(entity, `${place}.in`, states),
    ...states
      .filter((state) => Object.hasOwn(entity.states, state) && !valid.includes(state))
      .map((state) => ({
        place: `${place}.in`,
        problem: `never fires in ${state}: '${raise}' is not valid there`,
        remedy: `Remove it, or add ${state} to events.${raise}.in.`,
      })),
  ];
}

function patternProblems(entity: AnyEntity, place: string, when: Predicate): readonly DeclarationProblem[] {
  // The states of other types are not known here.
  const own = patternsIn(when).filter(({ filter }) => filter.type === entity.name);
  const problems = [
    ...unknownStates(
      entity,
      place,
      own.flatMap(({ test }) => test.in ?? []),
    ),
  ];
  const answer = foregone(when);
  if (answer === false) {
    const remedy = 'Name at least one state, and do not ask the same successors for a condition and its opposite.';
    problems.push({ place, problem: 'can never match', remedy });
  }
  if (answer === true) {
    problems.push({
      place,
      problem: 'always matches',
      remedy: 'Name a state of the successors, or remove the pattern.',
    });
  }
  return problems;
}
