import { parseEntityId, type EntityRef } from '../../protocol/names.js';
import type { ServiceContext } from '../context.js';

/** Which operation a path names, and the entity on which it was opened, where that is said too. */
export interface OperationTarget {
  readonly id: string;
  readonly on: EntityRef | undefined;
}

/** Of a request that has been checked. */
export function operationTarget({ req }: ServiceContext): OperationTarget {
  return { id: req.param('id')!, on: parseEntityId(req.query('on') ?? '') };
}
