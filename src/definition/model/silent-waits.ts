import type { ActionShape, AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { isSubscribedIn } from '../subscribed.js';
import { canAppear, isAmong } from './can-appear.js';
import { unconditionalEvents } from './own-events.js';
import { stepsFrom } from './paths.js';
import type { ModelProblem, ModelStep } from './problem.js';

/** A state of an entity, and the types of the successors that it has when it comes there in this way. */
interface Arrival {
  readonly state: string;
  readonly successors: ReadonlySet<string>;
  readonly path: readonly ModelStep[];
}

/**
 * No entity may wait for reports that nobody can send. So where only subscriptions leave a waiting state, each way there must
 * raise an event on a type that one of them looks at. Ways with an action that does not say what it raises are left out.
 */
export function silentWaitProblems(entity: AnyEntity): readonly ModelProblem[] {
  const silent = new Map<string, Arrival>();
  for (const arrival of arrivals(entity)) {
    const waits = entity.states[arrival.state]?.waiting && !silent.has(arrival.state);
    if (waits && waitsForEver(entity, arrival)) silent.set(arrival.state, arrival);
  }
  return [...silent.values()].map(({ state, path }) => ({
    place: `${entity.name}.states.${state}`,
    problem:
      'can wait forever: only subscriptions leave it, and no action on this path raises an event on an entity that they match',
    remedy:
      "Raise an event on such an entity in an earlier action, and list it in 'raises'. Or declare another event that leaves the state.",
    path,
  }));
}

/** All ways into all states that differ in the successors. */
function arrivals(entity: AnyEntity): readonly Arrival[] {
  const found: Arrival[] = Object.entries(entity.states).flatMap(([state, { initial }]) =>
    initial ? [{ state, successors: new Set<string>(), path: [] }] : [],
  );
  const seen = new Set<string>();
  for (const { state, successors, path } of found) {
    for (const step of stepsFrom(entity, state)) {
      const types = step.action === undefined ? [] : raisedTypes(entity.actions[step.action]);
      if (!types) continue;
      const next = new Set([...successors, ...types]);
      const name = [step.to, ...[...next].toSorted()].join();
      if (seen.has(name)) continue;
      seen.add(name);
      found.push({ state: step.to, successors: next, path: [...path, step] });
    }
  }
  return found;
}

/** The types on which an action raises events, where it says so. */
function raisedTypes(action: ActionShape | undefined): readonly string[] | undefined {
  return action?.raises?.map((raised) => raised.split('.')[0]!);
}

function waitsForEver(entity: AnyEntity, { state, successors }: Arrival): boolean {
  const subscriptions = Object.values(entity.subscriptions).filter((each) => isSubscribedIn(entity, each, state));
  const unconditional = unconditionalEvents(entity, state);
  const known = new Set(successors);
  for (let before = -1; before !== known.size;) {
    before = known.size;
    for (const action of Object.values(entity.actions)) {
      if (action.on === undefined || !asList(action.in).includes(state)) continue;
      const awaited = subscriptions.filter(({ raise }) => raise === action.on);
      const waits = awaited.length > 0 && !unconditional.includes(action.on);
      if (waits && !awaited.some(({ when }) => canAppear(when, (pattern) => isAmong(pattern, known)))) continue;
      const types = raisedTypes(action);
      const leaves = asList(action.to).some((target) => target !== state);
      if (leaves || !types) return false;
      for (const type of types) known.add(type);
    }
  }
  return true;
}
