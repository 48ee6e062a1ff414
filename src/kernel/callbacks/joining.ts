/*
 * The operation of an event that came to an address. S4.2, A2
 *
 * joining.1. In a waiting state, operations last until the answer has come and what that sets off has settled. So the answer belongs
 *     to the operation that has waited longest, as the events of subscriptions and deadlines do. In any other state it opens one.
 * joining.2. An answer that has to wait may find the entity in a waiting state, so it opens no operation before its turn.
 */
import type { AnyEntity } from '../../definition/entity.js';
import { asList } from '../../definition/names.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { Snapshot } from '../../protocol/snapshot.js';

/** The request as it begins: where an operation waits for it, under that one. joining.1 */
export function joined({ awaiting }: Snapshot, request: RaiseRequest): RaiseRequest {
  const [operation] = awaiting;
  if (operation === undefined || request.addressedAt === undefined || request.operation !== undefined) return request;
  return { ...request, operation };
}

/** Tells whether an event that has to wait opens its operation only when it begins. joining.2 */
export function opensLater({ events, states }: AnyEntity, { event, addressedAt }: RaiseRequest): boolean {
  return addressedAt !== undefined && asList(events[event]?.in).some((state) => states[state]?.waiting);
}
