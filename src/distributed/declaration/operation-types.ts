/*
 * The types that are registered together.
 *
 * operation-types.1. An id is registered once. I8
 * operation-types.2. Compatibility is symmetric: what one type says of another, that one says too. I4
 */
import { DeclarationError, type DeclarationProblem } from '../../definition/declaration-error.js';
import type { AnyDistributedOperation } from './distributed-operation.js';

/** The registered types by their id. */
export type OperationTypes = ReadonlyMap<string, AnyDistributedOperation>;

/** Registers types, which are all that can be started. I8 @throws DeclarationError naming all that is wrong */
export function operationTypes(operations: readonly AnyDistributedOperation[]): OperationTypes {
  const types = new Map<string, AnyDistributedOperation>();
  const problems: DeclarationProblem[] = [];
  for (const operation of operations) {
    if (types.has(operation.type))
      problems.push({
        place: operation.type,
        problem: 'Two types have this id.',
        remedy: 'Give one of them another id.',
      });
    types.set(operation.type, operation);
  }
  for (const { type, compatibleWith = [] } of types.values())
    for (const other of compatibleWith) {
      const found = types.get(other);
      if (found && !found.compatibleWith?.includes(type))
        problems.push({
          place: `${type}.compatibleWith`,
          problem: `It names '${other}', which does not name '${type}'.`,
          remedy: `Add '${type}' to compatibleWith of '${other}', or leave '${other}' out.`,
        });
    }
  if (problems.length > 0) throw new DeclarationError('the distributed operations', problems);
  return types;
}
