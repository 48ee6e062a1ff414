/*
 * Tells whether an operation may start, by the types and what runs.
 *
 * admission.1. Two operations run together only when their types name each other, or when they are of one type with different objects. I4
 * admission.2. A refusal names the one that runs. I4
 */
import { EVENT_BYTES } from '../../definition/limits.js';
import { sizeProblem } from '../../protocol/size-problem.js';
import { namedMessageOf } from '../../definition/thrown.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import type { AnyDistributedOperation } from '../declaration/distributed-operation.js';
import { decode, give } from '../../protocol/carried.js';
import type { OperationTypes } from '../declaration/operation-types.js';
import type { Coordinator, RunningOperation, StartRefusal, StartRequest } from './coordinator.js';

export type Admission =
  | { readonly kind: 'admitted'; readonly argument: unknown; readonly object?: string }
  | { readonly kind: 'refused'; readonly refusal: StartRefusal };

/** Decides whether an operation may start on a target now. I4 */
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
  const tooLarge = argumentTooLarge(type, argument);
  if (tooLarge) return { kind: 'refused', refusal: tooLarge };
  const read = readArgument(operation, argument);
  if ('problem' in read) return refused('invalid_argument', `'${type}' does not take this argument: ${read.problem}.`);
  const { object } = read;
  const inTheWay = running.find((each) => !mayRunTogether(types, { type, object }, each));
  if (inTheWay) {
    const message =
      `${nameOf({ type, object })} cannot start on ${target} while ${nameOf(inTheWay)}, instance ${inTheWay.instance}, runs. ` +
      'Wait until that has ended, or cancel it.';
    return { kind: 'refused', refusal: { code: 'incompatible_operation', message, running: inTheWay } };
  }
  return { kind: 'admitted', argument: read.argument, ...(object !== undefined && { object }) };
}

/** The argument as its schema gives it, and the object that it names. Both are code of the author, and can throw. S1.5a */
function readArgument(
  { argument: schema, object }: AnyDistributedOperation,
  given: unknown,
): { readonly argument: unknown; readonly object: string | undefined } | { readonly problem: string } {
  try {
    const stored = give(schema, given, 'argument');
    const seen = stored.valid ? decode(schema, stored.value, 'argument') : stored;
    if (!stored.valid || !seen.valid) return { problem: describeIssues(seen.valid ? [] : seen.issues) };
    return { argument: stored.value, object: object?.(seen.value as never) };
  } catch (thrown) {
    return { problem: `its declaration has thrown: ${namedMessageOf(thrown)}` };
  }
}

/** Returns why an argument is too large to be sent; nothing where it is not. S1.5a */
export function argumentTooLarge(type: string, argument: unknown): StartRefusal | undefined {
  const problem = sizeProblem(argument, EVENT_BYTES);
  if (problem === undefined) return undefined;
  const message = `The argument of '${type}' has ${problem}. Keep large data outside, and pass its address.`;
  return { code: 'invalid_argument', message };
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
