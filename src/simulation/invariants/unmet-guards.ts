/*
 * Which guards of an event do not hold: written a second time, so that a mistake of the kernel's is seen. S2.2
 */
import { describeCondition, type Condition } from '../../definition/condition.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** The guards that do not hold with these contents and parameters, in words. */
export function unmetGuards(entity: AnyEntity, snapshot: Snapshot, event: string, params?: unknown): readonly string[] {
  const when = entity.events[event]?.when;
  // To copy what an entity holds takes time, and this is asked after every step.
  if (!when) return [];
  const { properties, links } = snapshot;
  const text = JSON.stringify({ properties, links, parameters: params });
  const found = JSON.parse(text) as Readonly<Record<string, unknown>>;
  return when.flatMap(({ is }) => (isTrue(is, found) ? [] : [describeCondition(is)]));
}

function isTrue(condition: Condition, found: Readonly<Record<string, unknown>>): boolean {
  if ('predicates' in condition) {
    const { kind, predicates } = condition;
    return kind === 'and'
      ? !predicates.some((each) => !isTrue(each, found))
      : predicates.some((each) => isTrue(each, found));
  }
  if (condition.kind === 'not') return !isTrue(condition.predicate, found);
  const at = (path: string) => {
    let value: unknown = found;
    for (const name of path.split('.')) {
      const members = Array.isArray(value) ? [] : Object.entries(value ?? {});
      value = members.find(([member]) => member === name)?.[1];
    }
    return value ?? undefined;
  };
  const left = at(condition.of);
  if (condition.kind === 'isSet') return left !== undefined && JSON.stringify(left) !== '[]';
  if (condition.kind === 'isOneOf') return condition.values.some((each) => each === left);
  const right = typeof condition.value === 'object' ? at(condition.value.of) : condition.value;
  switch (condition.kind) {
    case 'is':
      return left === right;
    case 'isNot':
      return left !== right;
    case 'includes':
      return Array.isArray(left) && left.some((each) => each === right);
    default: {
      const haveOrder = ['number', 'string'].includes(typeof left) && typeof left === typeof right;
      if (!haveOrder) return false;
      const [first] = left === right ? [undefined] : [left, right].toSorted((a, b) => (a! < b! ? -1 : 1));
      const order = first === undefined ? 0 : first === left ? -1 : 1;
      return { isBelow: [-1], isAtMost: [-1, 0], isAbove: [1], isAtLeast: [0, 1] }[condition.kind].includes(order);
    }
  }
}
