import { parseOperationPlace } from '../../protocol/distributed-names.js';
import type { EntityRef } from '../../protocol/names.js';
import type { ServiceContext } from '../context.js';

/** The operation that a path names, and the entity on which it was opened, where the request says that too. */
export interface OperationTarget {
  readonly id: string;
  readonly on: EntityRef | undefined;
}

/** Reads the target of a request that has been checked. */
export function operationTarget({ req }: ServiceContext): OperationTarget {
  return { id: req.param('id')!, on: parseOperationPlace(req.query('on') ?? '') };
}
