import type { LiveOperation } from '../../../client/live/live-reader.js';
import { isReadable, type Readable } from '../../readable.js';

/** Of the operations that run, those that somebody may see. S6.5 */
export function readableOperations(operations: readonly LiveOperation[], readable: Readable): readonly LiveOperation[] {
  return operations.filter((row) => isReadable(readable, rootType(row), row.tenant ?? undefined));
}

/** The name of an operation is `create LogicalServer/orders`. */
function rootType({ name }: LiveOperation): string {
  return name.split(' ')[1]?.split('/')[0] ?? '';
}
