/*
 * Whether an operation may start, by the types and what runs.
 *
 * admission.1. Two operations run together only when their types name each other, or when they are of one type with different objects. I4
 * admission.2. A refusal names the one that runs. I4
 */
import type { OperationTypes } from '../declaration/operation-types.js';
import type { Coordinator, RunningOperation, StartRefusal, StartRequest } from './coordinator.js';

type Admission =
  | { readonly kind: 'admitted'; readonly argument: unknown; readonly object?: string }
  | { readonly kind: 'refused'; readonly refusal: StartRefusal };

export function admission(
  types: OperationTypes,
  { target, running }: Coordinator,
  { type, argument }: Pick<StartRequest, 'type' | 'argument'>,
): Admission {
  const operation = types.get(type);
  if (!operation) {
    const known = [...types.keys()].sort().join(', ') || 'none';
    return refused('unknown_operation_type', `There is no distributed operation '${type}'. Registered are: ${known}.`);
  }
  const parsed = operation.argument.safeParse(argument);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'argument'}: ${message}`);
    return refused('invalid_argument', `'${type}' does not take this argument: ${problems.join('; ')}.`);
  }
  const object = operation.object?.(parsed.data as never);
  const inTheWay = running.find((each) => !mayRunTogether(types, { type, object }, each));
  if (inTheWay) {
    const message =
      `${nameOf({ type, object })} cannot start on ${target} while ${nameOf(inTheWay)}, instance ${inTheWay.instance}, runs. ` +
      'Wait until that has ended, or cancel it.';
    return { kind: 'refused', refusal: { code: 'incompatible_operation', message, running: inTheWay } };
  }
  return { kind: 'admitted', argument: parsed.data, ...(object !== undefined && { object }) };
}

type Named = Pick<RunningOperation, 'type'> & { readonly object?: string | undefined };

/** admission.1 */
function mayRunTogether(types: OperationTypes, one: Named, other: Named): boolean {
  if (one.type !== other.type) return types.get(one.type)?.compatibleWith?.includes(other.type) ?? false;
  return one.object !== undefined && one.object !== other.object;
}

function nameOf({ type, object }: Named): string {
  return object === undefined ? `'${type}'` : `'${type}' of '${object}'`;
}

function refused(code: string, message: string): Admission {
  return { kind: 'refused', refusal: { code, message } };
}
