import type { AnyEntity } from '../../definition/entity.js';
import type { EntityRecord } from '../../protocol/records.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { dimensionsOf } from '../rules/dimensions.js';
import { awaitedCallbacks, TOLD_CALLBACKS } from '../callbacks/awaited-callbacks.js';
import { recordedWaits } from './recorded-waits.js';
import { needOf } from './need.js';
import { stuckEntity } from './stuck.js';
import { livingRef } from '../engagements/records.js';
import { healthOf, isSettled } from '../rules/standing.js';
import { isGone } from '../rules/step.js';

/** The entity as it stands. */
export function entityRecord(entity: AnyEntity, snapshot: Snapshot, now: number): EntityRecord {
  const { bornAt, version, state, enteredAt, operation, properties, links, subordinates } = snapshot;
  const stuck = stuckEntity(entity, snapshot);
  const need = needOf(entity, snapshot);
  const callbacks = awaitedCallbacks(snapshot);
  const waits = recordedWaits(entity, snapshot);
  return {
    kind: 'entity',
    entity: livingRef(snapshot),
    ...{ bornAt, version, state, enteredAt, properties, links, subordinates },
    ...(snapshot.schema !== undefined && { schema: snapshot.schema }),
    health: healthOf(entity, snapshot),
    settled: isSettled(entity, snapshot),
    ...(stuck && { stuckSince: stuck.since }),
    ...(need && { need }),
    deleted: isGone(entity, snapshot),
    ...(operation?.open && { operation: operation.id }),
    ...(callbacks.length > 0 && { callbacks: callbacks.slice(0, TOLD_CALLBACKS) }),
    ...(waits.length > 0 && { waits }),
    dimensions: dimensionsOf(entity, snapshot),
    at: now,
  };
}
