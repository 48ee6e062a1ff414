import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';

const CAPITAL = /^[A-Z][A-Za-z0-9]*$/;
const SMALL = /^[a-z][A-Za-z0-9]*$/;

/** Names appear in Temporal's UI, in signals and in addresses, so they are identifiers. */
export function nameProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  const check = (name: string, place: string, pattern: RegExp, like: string) => {
    if (pattern.test(name)) return;
    problems.push({ place, problem: `'${name}' is no name`, remedy: `Use letters and digits only, like ${like}.` });
  };
  check(entity.name, 'name', CAPITAL, 'LogicalServer');
  if (entity.name === 'Operation') {
    problems.push({
      place: 'name',
      problem: `'Operation' is taken`,
      remedy: 'Choose another name: operations have it.',
    });
  }
  for (const name of Object.keys(entity.states)) check(name, `states.${name}`, CAPITAL, 'CreatingResources');
  for (const name of Object.keys(entity.events)) check(name, `events.${name}`, SMALL, 'resourcesReady');
  for (const name of Object.keys(entity.actions)) check(name, `actions.${name}`, SMALL, 'createResources');
  for (const name of Object.keys(entity.subscriptions)) check(name, `subscriptions.${name}`, SMALL, 'allReady');
  return problems;
}
