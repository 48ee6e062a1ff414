import type { OperationReading } from '../client/operation-reading.js';
import { Rejected } from '../protocol/errors.js';
import { entityId, operationWorkflowId, type EntityRef } from '../protocol/names.js';
import { executionOf, executionOfOperation } from './execution.js';
import type { Guard } from './guard.js';
import { asShownTo } from './operation-audience.js';
import { originOf, originOfRow } from './operation-origin.js';
import { representOperation, representStored } from './operation-representation.js';
import type { ServiceParts } from './parts.js';

/** An operation, and the entity on which it was opened, where that is known: it knows the operation before it appears. */
export interface OperationAddress {
  readonly id: string;
  readonly on: EntityRef | undefined;
}

/** Reads an operation as the caller may see it. @throws ProblemError 403, 404; Rejected */
export async function readOperation(guard: Guard, parts: ServiceParts, { id, on }: OperationAddress) {
  const reading = await findOperation(guard, parts, { id, on });
  const { entity } = originOf(reading, on);
  const shown = await asShownTo(guard.readable, parts, entity, representOperation(id, reading, on));
  return { ...shown, ...executionOfOperation(parts, id, reading.state, on) };
}

/** Reads an operation from its workflow. When that is gone or no worker answers, it comes from the store and says so. S5.2 */
export async function readOperationOrRow(guard: Guard, parts: ServiceParts, address: OperationAddress) {
  try {
    return await readOperation(guard, parts, address);
  } catch (thrown) {
    if (!(thrown instanceof Rejected)) throw thrown;
    const row = await parts.store?.operation(address.id);
    if (!row) throw thrown;
    guard.operation(originOfRow(row));
    return { ...representStored(row), ...executionOf(parts, operationWorkflowId(address.id)) };
  }
}

/** Finds an operation, if it is the caller's. @throws ProblemError 403, 404; Rejected */
export async function findOperation(
  guard: Guard,
  { reeve }: ServiceParts,
  { id, on }: OperationAddress,
): Promise<OperationReading> {
  const reading = await reeve.operations.read(id, on);
  guard.operation(originOf(reading, on));
  return reading;
}

/** The revision of the operation's workflow, or that of the entity until the workflow has appeared. @throws Rejected */
export async function revisionOfOperation({ reeve }: ServiceParts, { id, on }: OperationAddress): Promise<string> {
  try {
    return await reeve.revision(operationWorkflowId(id));
  } catch (thrown) {
    if (!on || !(thrown instanceof Rejected)) throw thrown;
    return reeve.revision(entityId(on));
  }
}
