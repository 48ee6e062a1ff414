import { testsIn, type Test } from '../condition.js';
import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity, EventShape } from '../entity.js';
import { storedAt, type Stored } from './stored-value.js';

/** The guards of an event ask about values that exist, and compare them with values that they can have. S2.2 */
export function guardProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  return Object.entries(entity.events).flatMap(([name, event]) => {
    if (event.when === undefined) return [];
    const place = `events.${name}.when`;
    if (event.when.length === 0) return [{ place, problem: 'names no condition', remedy: 'Remove it.' }];
    const ended = Object.entries(entity.states).filter(([, state]) => state.ended === name);
    return [
      ...ended.map(([state]) => ({
        place: `states.${state}.ended`,
        problem: `raises '${name}', which has a guard: the end of a deployment is told once, and would be lost`,
        remedy: `Remove 'when' from ${name}, or raise an event without it.`,
      })),
      ...event.when.flatMap(({ is }, index) =>
        testsIn(is).flatMap((test) => testProblems(entity, event, `${place}.${index}`, test)),
      ),
    ];
  });
}

function testProblems(entity: AnyEntity, event: EventShape, place: string, test: Test): readonly DeclarationProblem[] {
  const found = storedAt(entity, place, test.of, event.params);
  if ('problem' in found) return [found];
  const problems: DeclarationProblem[] = [];
  const values = test.kind === 'isOneOf' ? test.values : 'value' in test ? [test.value] : [];
  if (test.kind === 'isOneOf' && values.length === 0) {
    problems.push({ place, problem: `asks whether '${test.of}' is one of no values`, remedy: 'Name at least one.' });
  }
  for (const value of values) {
    if (typeof value === 'object') {
      const other = storedAt(entity, place, value.of, event.params);
      if ('problem' in other) problems.push(other);
      continue;
    }
    const isOrder = ORDERS.includes(test.kind);
    if (isOrder && typeof value === 'boolean') {
      const problem = `compares '${test.of}' with ${String(value)}, which has no order`;
      problems.push({ place, problem, remedy: 'Write is(...), or compare with a number or a text.' });
      continue;
    }
    const held = test.kind === 'includes' ? membersOf(found.stored) : found.stored;
    const wrong = held === 'no list' || !canBe(held, value, isOrder);
    if (!wrong) continue;
    const problem =
      held === 'no list'
        ? `asks what '${test.of}' includes, which is no list`
        : `compares '${test.of}' with ${JSON.stringify(value)}, which it can never be`;
    problems.push({ place, problem, remedy: 'Values are compared as they are stored: see its schema.' });
  }
  return problems;
}

const ORDERS: readonly string[] = ['isAbove', 'isAtLeast', 'isBelow', 'isAtMost'];

function membersOf(stored: Stored | undefined): Stored | undefined | 'no list' {
  const type = stored?.['type'];
  if (type === undefined) return undefined;
  if (type !== 'array') return 'no list';
  const items = stored?.['items'];
  return typeof items === 'object' && items !== null && !('$ref' in items) ? (items as Stored) : undefined;
}

/** Tells whether a stored value can be this one, or be compared with it by order. What a schema leaves open counts as possible. */
function canBe(stored: Stored | undefined, value: string | number | boolean, byOrder: boolean): boolean {
  const type = stored?.['type'];
  if (!stored || type === undefined) return true;
  const kinds = (Array.isArray(type) ? type : [type]) as readonly string[];
  const kind = typeof value === 'number' ? ['number', 'integer'] : [typeof value];
  if (!kinds.some((each) => kind.includes(each))) return false;
  if (byOrder) return true;
  const values = 'const' in stored ? [stored['const']] : stored['enum'];
  return !Array.isArray(values) || values.includes(value);
}
