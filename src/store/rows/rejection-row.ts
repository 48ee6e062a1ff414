import type { EntityRef } from '../../protocol/names.js';
import type { Row, Table } from '../writing/table.js';

/** An event that was rejected at once. It has no other row. S2.2 */
export interface RejectedEvent {
  /** A UUID. */
  readonly id: string;
  /** When it was first rejected, and when last, in milliseconds since 1970. */
  readonly at: number;
  readonly lastAt: number;
  /** How often it was rejected. */
  readonly times: number;
  readonly entity: EntityRef;
  readonly event: string;
  /** The request id of the last one; none for a malformed signal. */
  readonly requestId?: string;
  /** The state in which the entity was; none where there is no entity. */
  readonly state?: string;
  readonly code: string;
  readonly message: string;
  /** Tells who has raised it; none for a signal that names nobody. */
  readonly subject?: string;
  /** The tenant of the entity. Without one, only actors who act for all tenants see the rejected event. */
  readonly tenant?: string;
}

export const REJECTED_EVENTS: Table = {
  name: 'rejected_events',
  columns: {
    id: 'uuid',
    at: 'time',
    last_at: 'time',
    times: 'integer',
    type: 'text',
    key: 'text',
    event: 'text',
    request_id: 'text',
    state: 'text',
    code: 'text',
    message: 'text',
    subject: 'text',
    tenant: 'text',
  },
  key: ['id'],
  newest: [],
};

export function rejectionRow(rejected: RejectedEvent): Row {
  const { id, at, lastAt, times, entity, event, code, message } = rejected;
  return {
    ...{ id, at, last_at: lastAt, times, type: entity.type, key: entity.key, event, code, message },
    request_id: rejected.requestId ?? null,
    state: rejected.state ?? null,
    subject: rejected.subject ?? null,
    tenant: rejected.tenant ?? null,
  };
}
