import type { DeclarationProblem } from '../declaration-error.js';
import { endRecord } from '../end-record.js';
import type { AnyEntity } from '../entity.js';
import { asList } from '../names.js';
import { exhaustedStates } from '../retry-rules.js';
import { askSchema } from '../values/ask-schema.js';
import { durationProblems } from './durations.js';
import { unknownEvent } from './graph.js';

/** Each state that deploys components is entered by actions, which describe them, and hears of their end. W1 */
export function deploymentProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return Object.keys(entity.states).flatMap((name) => problemsOf(entity, name));
}

function problemsOf(entity: AnyEntity, name: string): readonly DeclarationProblem[] {
  const { deploys, ended, endWithin, initial, stability, ending } = entity.states[name]!;
  const place = `states.${name}`;
  if (deploys === undefined) {
    const unused = { ended, endWithin };
    return Object.entries(unused)
      .filter(([, value]) => value !== undefined)
      .map(([option]) => ({
        place: `${place}.${option}`,
        problem: 'has no effect: the state deploys nothing',
        remedy: `Add deploys: 'name', or remove it.`,
      }));
  }
  const problems: DeclarationProblem[] = [...durationProblems(`${place}.endWithin`, endWithin)];
  const add = (where: string, problem: string, remedy: string) => problems.push({ place: where, problem, remedy });
  if (stability === 'unstable' || ending !== undefined) {
    add(`${place}.deploys`, 'is for stable states that do not end the entity', 'Move it to a stable() state.');
  }
  if (initial) {
    add(
      `${place}.deploys`,
      'is never described: an entity begins in its initial state, without an action',
      'Begin in another state, and let an action go from there to this one.',
    );
  }
  const exhausted = Object.keys(entity.states).filter((each) => exhaustedStates(entity.states[each]).includes(name));
  for (const each of exhausted) {
    add(
      `states.${each}.retry.exhausted`,
      `enters ${name} without an action, and only an action can describe the deployment '${deploys}' of ${name}`,
      `Name another state, and let an action go from there to ${name}.`,
    );
  }
  return [...problems, ...endedProblems(entity, name, ended)];
}

function endedProblems(entity: AnyEntity, name: string, ended: string | undefined): readonly DeclarationProblem[] {
  const place = `states.${name}.ended`;
  if (ended === undefined) {
    const problem = 'is missing: no event would report the end of the deployment';
    return [
      { place, problem, remedy: `Write ended: 'event', with events.event: { params: endRecord, in: '${name}' }.` },
    ];
  }
  const event = Object.hasOwn(entity.events, ended) ? entity.events[ended] : undefined;
  if (!event) return [unknownEvent(entity, place, ended)];
  const problems: DeclarationProblem[] = [];
  if (!asList(event.in).includes(name)) {
    const remedy = `Add ${name} to events.${ended}.in, or raise another event.`;
    problems.push({ place, problem: `'${ended}' is not valid in ${name}`, remedy });
  }
  if (event.params && !askSchema(event.params, SAMPLE).success) {
    const problem = `'${ended}' does not take an end record as its parameters`;
    problems.push({ place, problem, remedy: `Write events.${ended}.params: endRecord.` });
  }
  return problems;
}

const SAMPLE = endRecord.parse({ type: 'normal', description: 'as an example', component: '' });
