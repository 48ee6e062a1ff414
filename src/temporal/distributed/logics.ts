import { ApplicationFailure } from '@temporalio/common';
import { operationTypes, type DistributedOperationLogic } from '../../distributed/index.js';

export type Logics = ReadonlyMap<string, DistributedOperationLogic>;

/** @throws DeclarationError when two types have one id, or what they say of each other does not fit */
export function logicsByType(operations: readonly DistributedOperationLogic[]): Logics {
  operationTypes(operations.map(({ operation }) => operation));
  return new Map(operations.map((each) => [each.operation.type, each]));
}

/** @throws ApplicationFailure */
export function logicOf(logics: Logics, type: string): DistributedOperationLogic {
  const logic = logics.get(type);
  if (logic) return logic;
  const known = [...logics.keys()].sort().join(', ') || 'none';
  throw ApplicationFailure.create({
    type: 'no_code',
    message: `This process has no code for '${type}'. It has: ${known}.`,
  });
}
