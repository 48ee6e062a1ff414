import { parseDuration, type Duration } from '../duration.js';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { readCron } from '../calendar/cron-pattern.js';
import { isTimeZone } from '../calendar/time-zone.js';
import { subscribedStates } from '../subscribed.js';
import type { OneShotTimer, PeriodicTimer } from '../timer.js';
import { A_LENGTH, A_TIME, isTimeProperty, timePropertyProblems } from './time-property.js';
import { raisedEventProblems } from './raised-event.js';

/** Each timer, deadline and time-out has a length of time or a calendar, and an event that is valid after it. S4.3, S4.5 */
export function timerProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return [
    ...Object.entries(entity.timers).flatMap(([name, timer]) => [
      ...tickProblems(`timers.${name}`, timer),
      ...raisedEventProblems(entity, `timers.${name}.raise`, timer.raise),
    ]),
    ...Object.keys(entity.states).flatMap((name) => deadlineProblems(entity, name)),
    ...Object.keys(entity.subscriptions).flatMap((name) => timeoutProblems(entity, name)),
  ];
}

/** A timer has a period or a calendar. */
function tickProblems(place: string, timer: PeriodicTimer): readonly DeclarationProblem[] {
  const { every, cron, timeZone }: Partial<Record<keyof PeriodicTimer, unknown>> = timer;
  if (every !== undefined && cron !== undefined) {
    return [{ place, problem: 'has both a period and a calendar', remedy: 'Remove every, or cron and timeZone.' }];
  }
  if (cron === undefined) {
    const problems = periodProblems(`${place}.every`, every as Duration);
    if (timeZone === undefined) return problems;
    const problem = 'belongs to a calendar, but the timer has a period';
    return [...problems, { place: `${place}.timeZone`, problem, remedy: "Remove it, or write cron: '0 3 * * *'." }];
  }
  return [...cronProblems(`${place}.cron`, cron), ...zoneProblems(`${place}.timeZone`, timeZone)];
}

function cronProblems(place: string, cron: unknown): readonly DeclarationProblem[] {
  const read = typeof cron === 'string' ? readCron(cron) : { problem: 'is not a text' };
  if (!('problem' in read)) return [];
  const remedy = "Write minute, hour, day of the month, month and day of the week: '0 3 * * *', '30 6 * * mon-fri'.";
  return [{ place, problem: `'${String(cron)}' ${read.problem}`, remedy }];
}

function zoneProblems(place: string, timeZone: unknown): readonly DeclarationProblem[] {
  if (timeZone === undefined || (typeof timeZone === 'string' && isTimeZone(timeZone))) return [];
  const remedy = "Write a name of the IANA database, such as 'Europe/Berlin' or 'UTC'.";
  return [{ place, problem: `'${String(timeZone)}' is not a time zone that this version of Node knows`, remedy }];
}

function deadlineProblems(entity: AnyEntity, name: string): readonly DeclarationProblem[] {
  const { deadline, ending } = entity.states[name]!;
  if (!deadline) return [];
  const place = `states.${name}.deadline`;
  const { raise } = deadline;
  if (ending !== undefined) {
    return [{ place, problem: `never runs: ${name} ends the entity`, remedy: 'Remove it.' }];
  }
  const problems = [...timeProblems(entity, place, deadline), ...raisedEventProblems(entity, `${place}.raise`, raise)];
  if (!Object.hasOwn(entity.events, raise) || asList(entity.events[raise]!.in).includes(name)) return problems;
  const remedy = `Add ${name} to events.${raise}.in, or raise another event.`;
  return [...problems, { place: `${place}.raise`, problem: `'${raise}' is not valid in ${name}`, remedy }];
}

function timeoutProblems(entity: AnyEntity, name: string): readonly DeclarationProblem[] {
  const subscription = entity.subscriptions[name]!;
  const { raise: awaited, timeout } = subscription;
  if (!timeout) return [];
  const place = `subscriptions.${name}.timeout`;
  const { raise } = timeout;
  const problems = [...timeProblems(entity, place, timeout), ...raisedEventProblems(entity, `${place}.raise`, raise)];
  // For an unknown event, the other problem says enough.
  if (![raise, awaited].every((event) => Object.hasOwn(entity.events, event))) return problems;
  const running = subscribedStates(entity, subscription);
  if (asList(entity.events[raise]!.in).some((state) => running.includes(state))) return problems;
  const problem = `'${raise}' is not valid where '${awaited}' is awaited: ${running.join(', ')}`;
  const remedy = `Add one of these states to events.${raise}.in, or raise another event.`;
  return [...problems, { place: `${place}.raise`, problem, remedy }];
}

/** A deadline has a length of time, or a property with a time. */
function timeProblems(entity: AnyEntity, place: string, timer: OneShotTimer): readonly DeclarationProblem[] {
  const { after, at }: Partial<Record<'after' | 'at', unknown>> = timer;
  if (after !== undefined && at !== undefined) {
    return [{ place, problem: 'has both a length of time and a time', remedy: 'Remove after, or at.' }];
  }
  const by = at === undefined ? 'after' : 'at';
  const property = timer.at ?? (isTimeProperty(after) ? after : undefined);
  if (!property) return periodProblems(`${place}.after`, after as Duration);
  return timePropertyProblems(entity, `${place}.${by}`, property, by === 'at' ? A_TIME : A_LENGTH);
}

/** A timer of no length would never let the entity rest. */
function periodProblems(place: string, duration: Duration): readonly DeclarationProblem[] {
  const milliseconds = parseDuration(duration);
  if (milliseconds !== undefined && milliseconds >= 1) return [];
  const problem = milliseconds !== undefined ? 'lasts no time' : `'${String(duration)}' is not a duration`;
  return [{ place, problem, remedy: `Write milliseconds, or '30s', '5m', '2h'.` }];
}
