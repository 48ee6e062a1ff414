import type { DeclarationProblem } from '../declaration-error.js';
import { CREATED } from '../created.js';
import type { AnyEntity } from '../entity.js';

const CAPITAL = /^[A-Z][A-Za-z0-9]*$/;
const SMALL = /^[a-z][A-Za-z0-9]*$/;
/**
 * Single underscores may stand within a name but not at its end, so that diagrams and generated code can have names of their
 * own.
 */
const EVENT = /^[a-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;
const STATE = /^[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]+)*$/;
/** Workflow types of Reeve's own. */
const TAKEN = new Map([
  ['Operation', 'an operation'],
  ['Records', 'a carrier of records'],
  ['Keeper', 'the keeper'],
]);
/** Events are signals too, and so are the messages between entities. */
const RESERVED = /^reeve/;

/** Names appear in Temporal's UI, in signals and in addresses, so they are identifiers. */
export function nameProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const problems: DeclarationProblem[] = [];
  const check = (
    name: string,
    place: string,
    pattern: RegExp,
    like: string,
    characters = 'letters and digits only',
  ) => {
    if (pattern.test(name)) return;
    problems.push({ place, problem: `'${name}' is not a valid name`, remedy: `Use ${characters}, like ${like}.` });
  };
  const snake = 'letters and digits, with single underscores between them';
  check(entity.name, 'name', CAPITAL, 'LogicalServer');
  if (TAKEN.has(entity.name)) {
    const remedy = `Choose another name: ${TAKEN.get(entity.name)} has it.`;
    problems.push({ place: 'name', problem: `'${entity.name}' is taken`, remedy });
  }
  for (const name of Object.keys(entity.states)) {
    check(name, `states.${name}`, STATE, 'CreatingResources or requires_capture', snake);
    if (!(name in Object.prototype)) continue;
    const problem = `'${name}' is the name of a member of every JavaScript object`;
    problems.push({ place: `states.${name}`, problem, remedy: 'Choose another name.' });
  }
  for (const name of Object.keys(entity.events)) {
    check(name, `events.${name}`, EVENT, 'resourcesReady or confirm_payment', snake);
    if (!RESERVED.test(name)) continue;
    const remedy = "Choose a name that does not start with 'reeve'.";
    problems.push({ place: `events.${name}`, problem: `'${name}' is reserved for Reeve's own messages`, remedy });
  }
  if (Object.hasOwn(entity.events, CREATED)) {
    const problem = `'${CREATED}' is the name for a creation without an event`;
    problems.push({ place: `events.${CREATED}`, problem, remedy: "Choose another name, like 'create'." });
  }
  for (const name of Object.keys(entity.links)) check(name, `links.${name}`, SMALL, 'application');
  for (const name of Object.keys(entity.subordinates)) check(name, `subordinates.${name}`, SMALL, 'firewallRules');
  for (const name of Object.keys(entity.actions)) check(name, `actions.${name}`, SMALL, 'createResources');
  for (const name of Object.keys(entity.subscriptions)) check(name, `subscriptions.${name}`, SMALL, 'allReady');
  for (const name of Object.keys(entity.limits ?? {})) check(name, `limits.${name}`, SMALL, 'provisioning');
  for (const name of Object.keys(entity.timers)) check(name, `timers.${name}`, SMALL, 'inspect');
  return problems;
}
