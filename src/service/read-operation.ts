import type { OperationReading } from '../client/operation-reading.js';
import { Rejected } from '../protocol/errors.js';
import { DISTRIBUTED } from '../protocol/distributed-names.js';
import { entityId, operationWorkflowId, type EntityRef } from '../protocol/names.js';
import { revisionOfDistributed } from './distributed-revision.js';
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

/** An operation that was found, with the entity on which it was opened as far as that is known. */
interface FoundOperation {
  readonly reading: OperationReading;
  readonly on: EntityRef | undefined;
}

/** Reads an operation as the caller may see it. @throws ProblemError 403, 404, 503; Rejected */
export async function readOperation(guard: Guard, parts: ServiceParts, address: OperationAddress) {
  const { reading, on } = await findOperation(guard, parts, address);
  const { id } = address;
  const { entity } = originOf(reading, on);
  const shown = await asShownTo(guard.readable, parts, entity, representOperation(id, reading, on));
  return { ...shown, ...executionOfOperation(parts, id, reading, on) };
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
    return { ...representStored(row), ...executionOf(parts, row.workflow_id) };
  }
}

/** Finds an operation, if it is the caller's. @throws ProblemError 403, 404, 503; Rejected */
export async function findOperation(
  guard: Guard,
  parts: ServiceParts,
  address: OperationAddress,
): Promise<FoundOperation> {
  const found = await lookForOperation(parts, address);
  guard.operation(originOf(found.reading, found.on));
  return found;
}

/**
 * Looks for an operation, whoever asks. One that has no workflow, or not yet, is known to the entity on which it was opened.
 * @throws ProblemError 503; Rejected
 */
export function lookForOperation(parts: ServiceParts, address: OperationAddress): Promise<FoundOperation> {
  return wherePlaced(parts, address, async ({ id, on }) => ({
    reading: await parts.reeve.operations.read(id, on),
    on,
  }));
}

/** The revision of the operation's workflow, or that of the entity until the workflow has appeared. @throws Rejected */
export function revisionOfOperation(parts: ServiceParts, address: OperationAddress): Promise<string> {
  const { reeve } = parts;
  return wherePlaced(parts, address, async ({ id, on }) => {
    try {
      return await reeve.revision(operationWorkflowId(id));
    } catch (thrown) {
      if (!on || !(thrown instanceof Rejected)) throw thrown;
      return on.type === DISTRIBUTED ? await revisionOfDistributed() : await reeve.revision(entityId(on));
    }
  });
}

/** Reads with the entity on which the operation was opened where the operation cannot be found without it. */
async function wherePlaced<T>(
  { places }: ServiceParts,
  address: OperationAddress,
  read: (address: OperationAddress) => Promise<T>,
): Promise<T> {
  try {
    return await read(address);
  } catch (thrown) {
    if (address.on || !(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
    const on = await places.of(address.id);
    if (!on) throw thrown;
    return read({ ...address, on });
  }
}
