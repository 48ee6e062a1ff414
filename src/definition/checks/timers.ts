import { parseDuration, type Duration } from '../duration.js';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { subscribedStates } from '../subscribed.js';
import { raisedEventProblems } from './raised-event.js';

/** Each timer, deadline and time-out has a length of time, and an event that is valid after it. S4.3, S4.5 */
export function timerProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return [
    ...Object.entries(entity.timers).flatMap(([name, { every, raise }]) => [
      ...periodProblems(`timers.${name}.every`, every),
      ...raisedEventProblems(entity, `timers.${name}.raise`, raise),
    ]),
    ...Object.keys(entity.states).flatMap((name) => deadlineProblems(entity, name)),
    ...Object.keys(entity.subscriptions).flatMap((name) => timeoutProblems(entity, name)),
  ];
}

function deadlineProblems(entity: AnyEntity, name: string): readonly DeclarationProblem[] {
  const { deadline, ending } = entity.states[name]!;
  if (!deadline) return [];
  const place = `states.${name}.deadline`;
  const { after, raise } = deadline;
  if (ending !== undefined) {
    return [{ place, problem: `never runs: ${name} ends the entity`, remedy: 'Remove it.' }];
  }
  const problems = [
    ...periodProblems(`${place}.after`, after),
    ...raisedEventProblems(entity, `${place}.raise`, raise),
  ];
  if (!Object.hasOwn(entity.events, raise) || asList(entity.events[raise]!.in).includes(name)) return problems;
  const remedy = `Add ${name} to events.${raise}.in, or raise another event.`;
  return [...problems, { place: `${place}.raise`, problem: `'${raise}' is not valid in ${name}`, remedy }];
}

function timeoutProblems(entity: AnyEntity, name: string): readonly DeclarationProblem[] {
  const subscription = entity.subscriptions[name]!;
  const { raise: awaited, timeout } = subscription;
  if (!timeout) return [];
  const place = `subscriptions.${name}.timeout`;
  const { after, raise } = timeout;
  const problems = [
    ...periodProblems(`${place}.after`, after),
    ...raisedEventProblems(entity, `${place}.raise`, raise),
  ];
  // For an unknown event, the other problem says enough.
  if (![raise, awaited].every((event) => Object.hasOwn(entity.events, event))) return problems;
  const running = subscribedStates(entity, subscription);
  if (asList(entity.events[raise]!.in).some((state) => running.includes(state))) return problems;
  const problem = `'${raise}' is not valid where '${awaited}' is awaited: ${running.join(', ')}`;
  const remedy = `Add one of these states to events.${raise}.in, or raise another event.`;
  return [...problems, { place: `${place}.raise`, problem, remedy }];
}

/** A timer of no length would never let the entity rest. */
function periodProblems(place: string, duration: Duration): readonly DeclarationProblem[] {
  const milliseconds = parseDuration(duration);
  if (milliseconds !== undefined && milliseconds >= 1) return [];
  const problem = milliseconds !== undefined ? 'lasts no time' : `'${String(duration)}' is not a duration`;
  return [{ place, problem, remedy: `Write milliseconds, or '30s', '5m', '2h'.` }];
}
