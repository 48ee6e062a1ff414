/*
 * Guards of events: conditions over contents and parameters. S2.2
 *
 * event-guard.1. An event is valid only where all its guards hold: whoever raises it, and when its turn comes. A guard that no parameters
 *     can make hold answers before the parameters are checked. Where none are known yet, those that they can make hold do not count.
 * event-guard.2. The event of a subscription is raised when the guards hold and the pattern is there. A deadline waits until they hold. A
 *     tick of a periodic timer is dropped where they do not. S4.3, S4.5
 * event-guard.3. A guard that does not hold is a rejection as any other: nothing changes, and nothing is kept.
 */
import { describeCondition, type Condition, type Scalar, type Test } from '../../definition/condition.js';
import { displayEvent } from '../../definition/display-name.js';
import type { AnyEntity } from '../../definition/entity.js';
import { NOT_ALLOWED_NOW, type Guard } from '../../definition/guard.js';
import type { DeclaredRejection } from '../../definition/rejection.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** The contents on which guards look. */
export type Holdings = Pick<Snapshot, 'properties' | 'links'>;

/** The parameters of an event as they are stored; none before they are known. */
interface Known {
  readonly params: unknown;
}

/** The first guard of an event that does not hold, or that no parameters can make hold; nothing where there is none. event-guard.1 */
export function unmetGuard(entity: AnyEntity, holdings: Holdings, event: string, known?: Known): Guard | undefined {
  const { when } = Object.hasOwn(entity.events, event) ? entity.events[event]! : {};
  return when?.find(({ is }) => holds(is, holdings, known) === false);
}

/** The answer to an event whose guard does not hold. */
export function guardAnswer(
  entity: AnyEntity,
  event: string,
  { is, otherwise }: Guard,
): DeclaredRejection & { readonly message: string } {
  const name = `'${displayEvent(entity, event)}'`;
  const code = otherwise?.code ?? NOT_ALLOWED_NOW;
  return { code, message: otherwise?.message ?? `${name} is allowed only if ${describeCondition(is)}` };
}

/** Tells whether a condition holds; nothing where that depends on parameters that are not known. */
export function holds(condition: Condition, holdings: Holdings, known?: Known): boolean | undefined {
  switch (condition.kind) {
    case 'and':
    case 'or': {
      const decisive = condition.kind === 'or';
      const parts = condition.predicates.map((part) => holds(part, holdings, known));
      return parts.includes(decisive) ? decisive : parts.includes(undefined) ? undefined : !decisive;
    }
    case 'not': {
      const inner = holds(condition.predicate, holdings, known);
      return inner === undefined ? undefined : !inner;
    }
    default:
      return asked(condition, holdings, known);
  }
}

function asked(test: Test, holdings: Holdings, known: Known | undefined): boolean | undefined {
  const subjects = [test.of, ...('value' in test && typeof test.value === 'object' ? [test.value.of] : [])];
  if (!known && subjects.some((subject) => subject.startsWith('parameters.'))) return undefined;
  const all = { ...holdings, parameters: known?.params };
  const is = valueAt(all, test.of);
  if (test.kind === 'isSet') return is !== undefined && is !== null && !(Array.isArray(is) && is.length === 0);
  if (test.kind === 'isOneOf') return test.values.includes(is as Scalar);
  const other = typeof test.value === 'object' ? valueAt(all, test.value.of) : test.value;
  switch (test.kind) {
    case 'is':
      return is === other;
    case 'isNot':
      return is !== other;
    case 'includes':
      return Array.isArray(is) && is.includes(other);
    default: {
      const order = compared(is, other);
      return order !== undefined && ORDERS[test.kind](order);
    }
  }
}

const ORDERS = {
  isAbove: (order: number) => order > 0,
  isAtLeast: (order: number) => order >= 0,
  isBelow: (order: number) => order < 0,
  isAtMost: (order: number) => order <= 0,
};

/** The order of two numbers or of two texts; nothing where the values have no order. */
function compared(one: unknown, other: unknown): number | undefined {
  const areNumbers = typeof one === 'number' && typeof other === 'number';
  const areTexts = typeof one === 'string' && typeof other === 'string';
  if (!areNumbers && !areTexts) return undefined;
  return one < other ? -1 : one > other ? 1 : 0;
}

/** The value at a path of own members. A path leads into no list. */
export function valueAt(holdings: object, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    const isThere = typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name);
    return isThere ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
  }, holdings);
}
