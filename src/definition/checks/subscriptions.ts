import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import type { Predicate } from '../predicate.js';
import { nameList } from './graph.js';

/** Each subscription: an event that it can raise, a pattern that can appear; and a way out of each waiting state. */
export function subscriptionProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  for (const [name, subscription] of Object.entries(entity.subscriptions)) {
    const place = `subscriptions.${name}`;
    const event = Object.hasOwn(entity.events, subscription.raise) ? entity.events[subscription.raise] : undefined;
    if (!event) {
      const remedy = `Name one of ${nameList(Object.keys(entity.events))}.`;
      problems.push({ place: `${place}.raise`, problem: `there is no event '${subscription.raise}'`, remedy });
    } else if (event.params && !event.params.safeParse({}).success) {
      const remedy = 'Make its parameters optional, or use an event of its own.';
      problems.push({
        place: `${place}.raise`,
        problem: `'${subscription.raise}' needs parameters, and it gives none`,
        remedy,
      });
    }
    if (neverMatches(subscription.when)) {
      const remedy = 'Name at least one state, and do not ask for the opposite of the same successors.';
      problems.push({ place: `${place}.when`, problem: 'can never match', remedy });
    }
  }
  const raised = Object.values(entity.subscriptions).map(({ raise }) => raise);
  for (const [state] of Object.entries(entity.states).filter(([, { waiting }]) => waiting)) {
    const leaves = Object.values(entity.actions).some(
      ({ on, in: states, to }) =>
        on !== undefined &&
        raised.includes(on) &&
        asList(states).includes(state) &&
        asList(to).some((each) => each !== state),
    );
    if (leaves) continue;
    const remedy = 'Declare a subscription whose event starts an action that leaves it.';
    problems.push({ place: `states.${state}`, problem: 'waits for successors, and no subscription leaves it', remedy });
  }
  return problems;
}

/** What can be told from the pattern alone. */
function neverMatches(predicate: Predicate): boolean {
  switch (predicate.kind) {
    case 'and':
      return predicate.predicates.some(neverMatches) || contradicts(predicate.predicates);
    case 'or':
      return predicate.predicates.every(neverMatches);
    case 'not':
      return false;
    case 'all':
    case 'any':
      return predicate.test.in?.length === 0;
    case 'none':
      return false;
  }
}

/** `all` or `any` of some successors, and `none` of the same with the same test. */
function contradicts(predicates: readonly Predicate[]): boolean {
  const texts = (wanted: (kind: Predicate['kind']) => boolean) =>
    predicates.flatMap((each) =>
      wanted(each.kind) && 'filter' in each ? [JSON.stringify([each.filter, each.test])] : [],
    );
  const denied = new Set(texts((kind) => kind === 'none'));
  return texts((kind) => kind === 'all' || kind === 'any').some((text) => denied.has(text));
}
