import type { DeclarationProblem } from '../declaration-error.js';
import { parseDuration } from '../duration.js';
import type { AnyEntity } from '../entity.js';
import { retryFor } from '../retry-rules.js';
import { retryTimes } from '../retry-times.js';
import type { RetryOfError, State } from '../state.js';
import { durationProblems } from './durations.js';
import { automaticActions, unknownStates } from './graph.js';
import { A_LENGTH, isTimeProperty, timePropertyProblems } from './time-property.js';

/** Each state by itself: its kind, and what this kind allows. */
export function stateProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const named = (is: (state: State) => boolean) =>
    Object.entries(entity.states)
      .filter(([, state]) => is(state))
      .map(([name]) => name);
  const initials = named(({ initial }) => initial);
  const deleted = named(({ ending }) => ending === 'deleted');
  const problems: DeclarationProblem[] = [];
  if (initials.length === 0) {
    const remedy = 'Declare the state in which an entity begins as initial().';
    problems.push({ place: 'states', problem: 'no state is the initial one', remedy });
  }
  if (initials.length > 1) {
    const problem = `${initials.join(', ')} are all initial`;
    problems.push({ place: 'states', problem, remedy: 'Keep initial() for one of them.' });
  }
  if (deleted.length > 1) {
    const problem = `${deleted.join(', ')} are all the deleted state`;
    problems.push({ place: 'states', problem, remedy: 'Keep deleted() for one of them.' });
  }
  return [...problems, ...Object.entries(entity.states).flatMap(([name, state]) => oneState(entity, name, state))];
}

function oneState(entity: AnyEntity, name: string, state: State): readonly DeclarationProblem[] {
  const place = `states.${name}`;
  const problems: DeclarationProblem[] = [];
  const add = (where: string, problem: string, remedy: string) => problems.push({ place: where, problem, remedy });
  const automatic = automaticActions(entity, name);

  if (state.stability === 'unstable' && automatic.length === 0) {
    add(
      place,
      'is unstable and has no automatic action',
      `Declare an action with in: '${name}' and without 'on', or make it stable().`,
    );
  }
  if (automatic.length > 1) {
    add(place, `has more than one automatic action: ${automatic.join(', ')}`, `Keep one, and give the others an 'on'.`);
  }
  if (state.stability === 'stable' && automatic.length > 0) {
    add(
      place,
      `is stable and has the automatic action '${automatic[0]}'`,
      `Make it unstable(), or give the action an 'on'.`,
    );
  }
  if (state.stability === 'unstable' && state.waiting) {
    add(place, 'is unstable and waiting', 'Only a stable state rests: use stable({ waiting: true }).');
  }
  if (state.stability === 'stable' && (state.retry !== undefined || state.wait !== undefined)) {
    add(place, 'is stable and has a wait or a retry', 'These are for the automatic action of an unstable state.');
  }
  return [...problems, ...retryProblems(entity, place, state)];
}

function retryProblems(entity: AnyEntity, place: string, { retry, wait }: State): readonly DeclarationProblem[] {
  const waits = isTimeProperty(wait)
    ? timePropertyProblems(entity, `${place}.wait`, wait, A_LENGTH)
    : durationProblems(`${place}.wait`, wait);
  if (!retry) return waits;
  const common = ruleProblems(entity, `${place}.retry`, retry, retry);
  const ofErrors = Object.entries(retry.errors ?? {}).flatMap(([code, own]) =>
    ruleProblems(entity, `${place}.retry.errors.${code}`, own, retryFor(retry, code)),
  );
  return [...waits, ...common, ...(common.length > 0 ? [] : ofErrors)];
}

/** Finds what is wrong with a rule. `rule` also has the parts that it does not give itself. */
function ruleProblems(
  entity: AnyEntity,
  place: string,
  own: RetryOfError,
  rule: RetryOfError,
): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  problems.push(...durationProblems(`${place}.delay`, own.delay));
  problems.push(...durationProblems(`${place}.maxDelay`, own.maxDelay));
  const { attempts, growth, exhausted } = own;
  if (attempts !== undefined && !(Number.isInteger(attempts) && attempts >= 1)) {
    problems.push({
      place: `${place}.attempts`,
      problem: `${String(attempts)} is not a number of attempts`,
      remedy: 'Write a whole number of at least 1.',
    });
  }
  if (growth !== undefined && !(Number.isFinite(growth) && growth >= 1)) {
    problems.push({
      place: `${place}.growth`,
      problem: `${String(growth)} is not a valid growth factor`,
      remedy: 'Write a factor of at least 1.',
    });
  }
  if (problems.length === 0) problems.push(...delayProblems(place, rule));
  if (exhausted !== undefined) problems.push(...unknownStates(entity, `${place}.exhausted`, [exhausted]));
  if (
    rule.attempts === undefined &&
    [rule.delay, rule.maxDelay].some((each) => each !== undefined && parseDuration(each) === 0)
  ) {
    problems.push({
      place,
      problem: 'a failing action is retried forever, without a pause',
      remedy: 'Give a delay, or attempts.',
    });
  }
  if (exhausted !== undefined && rule.attempts === undefined) {
    problems.push({
      place: `${place}.exhausted`,
      problem: 'is never reached: the attempts have no limit',
      remedy: 'Give attempts.',
    });
  }
  return problems;
}

/** Checks that what one of the delays says is not without effect because of another one. */
function delayProblems(place: string, retry: RetryOfError): readonly DeclarationProblem[] {
  const { delay, maxDelay, growth = 1 } = retry;
  const { delayMs, maxDelayMs } = retryTimes(retry);
  const longest = maxDelay ?? delay;
  if (delay !== undefined && maxDelayMs < delayMs) {
    const problem = `${maxDelay} is shorter than the delay of ${delay}`;
    return [{ place: `${place}.maxDelay`, problem, remedy: 'Write a longer maxDelay, or leave it out.' }];
  }
  if (growth === 1 || delayMs === 0 || delayMs < maxDelayMs) return [];
  const problem = `has no effect: no delay grows beyond ${longest}`;
  return [{ place: `${place}.growth`, problem, remedy: 'Write a longer maxDelay, or leave the growth out.' }];
}
