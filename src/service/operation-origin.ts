import type { OperationReading } from '../client/operation-reading.js';
import { TENANT } from '../definition/tenant.js';
import type { OperationResult } from '../operations/status.js';
import { parseOperationPlace } from '../protocol/distributed-names.js';
import type { EntityRef } from '../protocol/names.js';
import type { OperationDetails } from '../store/index.js';
import type { OperationOrigin } from './guard.js';
import { tenantOfRow } from './tenant-of-row.js';

/**
 * Says on what an operation was opened, and for whom. `on` is the entity that has told of an operation without a workflow. S6.5
 */
export function originOf(reading: OperationReading, on: EntityRef | undefined): OperationOrigin {
  switch (reading.state) {
    case 'running':
      return fromRoot(reading.status);
    case 'ended':
      return fromRoot(reading.result);
    case 'beginning':
    case 'settled':
      return { entity: on ?? NOTHING, event: reading.event, tenant: reading.tenant };
  }
}

/** The origin of an operation that the store has. It is in the operation's name: `create LogicalServer/orders`. */
export function originOfRow(row: OperationDetails): OperationOrigin {
  const [event = '', ...rest] = row.name.split(' ');
  return { entity: parseOperationPlace(rest.join(' ')) ?? NOTHING, event, tenant: tenantOfRow(row) };
}

function fromRoot({ root, dimensions }: Pick<OperationResult, 'root' | 'dimensions'>): OperationOrigin {
  const { type, key, event } = root;
  return { entity: { type, key }, event, tenant: dimensions[TENANT] };
}

/** An entity of no type. Nobody has a role for it. */
const NOTHING: EntityRef = { type: '', key: '' };
