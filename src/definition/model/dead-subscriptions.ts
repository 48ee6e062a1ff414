/*
 * Subscriptions that can never fire: an entity that relies on one waits for ever, or is never warned. S1.5, S4.3
 *
 * The decisions:
 * dead-subscriptions.1. The pattern needs a successor of a type on which no action of the entity raises anything. This is known
 *     only where all its actions say what they raise. A waiting state that only such subscriptions leave is reported instead
 *     (silent-waits.ts), with the way there.
 * dead-subscriptions.2. The pattern asks for states in which an entity of that type is never at rest: reports tell only where
 *     it has settled. This includes an unstable state that leads on when its attempts are used up. Declarations do not tell
 *     which role or key an action gives a successor, how many successors there are, in which operation events were raised on
 *     them, and whether the states that are asked for come at the same time.
 */
import type { Pattern } from '../predicate.js';
import type { AnyEntity } from '../entity.js';
import { exhaustedStates } from '../retry-rules.js';
import { subscribedStates } from '../subscribed.js';
import { canAppear, isAmong } from './can-appear.js';
import type { ModelProblem } from './problem.js';

export function deadSubscriptionProblems(entities: readonly AnyEntity[]): readonly ModelProblem[] {
  const types = new Map(entities.map((entity) => [entity.name, entity]));
  return entities.flatMap((entity) => [...lonely(entity), ...restless(entity, types)]);
}

/** dead-subscriptions.1 */
function lonely(entity: AnyEntity): readonly ModelProblem[] {
  const raises = Object.values(entity.actions).map((action) => action.raises);
  if (raises.includes(undefined)) return [];
  const raised = new Set(raises.flatMap((each) => each ?? []).map((each) => each.split('.')[0]!));
  return Object.entries(entity.subscriptions)
    .filter(([, each]) => subscribedStates(entity, each).some((state) => !entity.states[state]?.waiting))
    .filter(([, { when }]) => !canAppear(when, (pattern) => isAmong(pattern, raised)))
    .map(([name]) => ({
      place: `${entity.name}.subscriptions.${name}.when`,
      problem: `can never match: no action of the entity raises an event on a successor of this type`,
      remedy: `Raise an event on such an entity in an action, and list it in 'raises'. At present, 'raises' contains ${[...raised].join(', ') || 'nothing'}.`,
      path: [],
    }));
}

/** dead-subscriptions.2 */
function restless(entity: AnyEntity, types: ReadonlyMap<string, AnyEntity>): readonly ModelProblem[] {
  const rests = ({ filter: { type }, test }: Pattern) => {
    const target = type === undefined ? undefined : types.get(type);
    return !target || !test.in || test.in.some((state) => mayRestIn(target, state));
  };
  return Object.entries(entity.subscriptions)
    .filter(([, { when }]) => !canAppear(when, rests))
    .map(([name]) => ({
      place: `${entity.name}.subscriptions.${name}.when`,
      problem: 'can never match: it matches only unstable states, and successors report only stable ones',
      remedy: 'Match a stable state.',
      path: [],
    }));
}

/** An unstable state is left, unless its attempts are used up and no other state can take the entity then. */
function mayRestIn(entity: AnyEntity, name: string): boolean {
  const state = entity.states[name];
  // Another check reports an unknown name.
  if (state?.stability !== 'unstable') return true;
  if (state.retry?.exhausted === undefined) return true;
  return exhaustedStates(state).some((target) => entity.states[target]?.constraint !== undefined);
}
