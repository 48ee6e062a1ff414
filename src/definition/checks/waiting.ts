import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { isSubscribedIn } from '../subscribed.js';

/**
 * Each waiting state has a way out that comes by itself: a subscription or a deadline. An answer from outside may never come, so it
 * needs a deadline beside it. S1.5
 */
export function waitingProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const answers = Object.keys(entity.events).filter((event) => entity.events[event]!.answer);
  return Object.entries(entity.states).flatMap(([state, { waiting, deadline }]): readonly DeclarationProblem[] => {
    if (!waiting) return [];
    const place = `states.${state}`;
    const subscribed = Object.values(entity.subscriptions).flatMap((each) =>
      isSubscribedIn(entity, each, state) ? [each.raise] : [],
    );
    const leave = (events: readonly string[]) => events.some((event) => leaves(entity, state, event));
    const limits = Object.values(entity.limits ?? {}).filter((limit) => limit.in.includes(state));
    // A property may have no value, so a time in one is no end of the wait.
    const isSure = deadline?.at === undefined && typeof deadline?.after !== 'object';
    const timed = [...(deadline && isSure ? [deadline] : []), ...limits].map(({ raise }) => raise);
    if (leave([...subscribed, ...timed])) return [];
    if (leave(answers)) {
      const remedy = `Give it a deadline whose event starts an action that leaves it: deadline: { after: '1d', raise: '...' }.`;
      return [{ place, problem: 'waits for an answer that may never come', remedy }];
    }
    const remedy =
      'Declare a subscription, or a deadline and an event with answer: true, whose event starts an action that leads out of it.';
    return [{ place, problem: 'waits forever: no subscription, deadline or answer leads out of it', remedy }];
  });
}

function leaves(entity: AnyEntity, state: string, event: string): boolean {
  return Object.values(entity.actions).some(
    ({ on, in: states, to }) =>
      on === event && asList(states).includes(state) && asList(to).some((each) => each !== state),
  );
}
