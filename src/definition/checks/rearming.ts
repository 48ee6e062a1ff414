import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity, SubscriptionShape } from '../entity.js';
import { asList } from '../names.js';
import { isSubscribedIn } from '../subscribed.js';
import { eventActions } from './graph.js';
import { foregone, patternsIn } from './patterns.js';

/**
 * A subscription whose pattern is still there when its event has led to where it is valid again fires without end, since entering a
 * state starts matches anew. Only what is certain is a problem: the event enters a state in any case, and nothing that its action may
 * raise can change the successors that count. S1.5a
 */
export function rearmingProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  const told = new Set<string>();
  for (const [name, subscription] of Object.entries(entity.subscriptions)) {
    const pattern = patternOf(subscription);
    const states = told.has(pattern) ? [] : statesKept(entity, subscription);
    told.add(pattern);
    if (states.length === 0) continue;
    const { raise } = subscription;
    problems.push({
      place: `subscriptions.${name}`,
      problem: `fires without end: its event leads back to ${states.join(', ')}, where the pattern still matches`,
      remedy: `Declare events.${raise} with stays: true, or let the action on it go to a state where '${raise}' is not valid. If that action raises events on the successors, list these events in its raises.`,
    });
  }
  return problems;
}

/** The states that the entity never leaves by itself while the pattern is there: each event of it leads to one of them. */
function statesKept(entity: AnyEntity, subscription: SubscriptionShape): readonly string[] {
  const ways = new Map<string, readonly string[]>();
  for (const state of Object.keys(entity.states)) {
    const targets = targetsFrom(entity, subscription, state);
    if (targets) ways.set(state, targets);
  }
  for (let before = -1; before !== ways.size;) {
    before = ways.size;
    for (const [state, targets] of ways) if (!targets.every((each) => ways.has(each))) ways.delete(state);
  }
  return [...ways.keys()];
}

/** Where the entity may be after the pattern has raised its event in a state; nothing where it does not, or the pattern may go. */
function targetsFrom(entity: AnyEntity, subscription: SubscriptionShape, state: string): readonly string[] | undefined {
  const pattern = patternOf(subscription);
  for (const other of Object.values(entity.subscriptions)) {
    const event = entity.events[other.raise];
    if (!isSubscribedIn(entity, other, state)) continue;
    // One that is declared before goes first where both match.
    if (patternOf(other) !== pattern) {
      if (excludes(subscription, other)) continue;
      return undefined;
    }
    const [name] = eventActions(entity, other.raise, state);
    const action = name === undefined ? undefined : entity.actions[name];
    if (!action || event?.stays || mayChange(subscription, action.raises)) return undefined;
    return [...new Set([state, ...asList(action.to)])];
  }
  return undefined;
}

/** Tells whether two patterns never match together. */
function excludes(one: SubscriptionShape, other: SubscriptionShape): boolean {
  return one.among === other.among && foregone({ kind: 'and', predicates: [one.when, other.when] }) === false;
}

function mayChange({ when }: SubscriptionShape, raises: readonly string[] | undefined): boolean {
  const types = patternsIn(when).map(({ filter }) => filter.type);
  return !raises || raises.some((raised) => types.includes(undefined) || types.includes(raised.split('.')[0]));
}

function patternOf({ when, among = 'operation' }: SubscriptionShape): string {
  return JSON.stringify([when, among]);
}
