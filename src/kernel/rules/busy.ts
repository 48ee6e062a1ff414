/*
 * The rejection of an event because an action runs. S2.3, S4.6
 *
 * busy.1. An entity is busy while an action runs, and while one is postponed. It is not busy between the attempts of an automatic
 *     action, and not during its wait. S2.4
 * busy.2. If its declaration says so, an event is rejected at once, also behind others that wait. This rejection is as any other:
 *     nothing changes, and nothing is kept. S2.2
 * busy.3. An event that waits already stays so, whatever runs when its turn comes.
 * busy.4. The entity's own events (of subscriptions, timers and ended deployments) wait, and so does an answer that comes to an
 *     address: they come once. A request to cancel is what its event is declared to be. S4.3, S4.5, S4.7
 * busy.5. An event that the entity has promised to admit (seal.ts) waits for those before it. An event of the owner of a reservation
 *     need not wait for a postponed action, so it is not rejected for that either. S3.6
 */
import { rejectionIn } from '../../definition/busy.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { DeclaredRejection } from '../../definition/rejection.js';
import type { RaiseRequest } from '../../protocol/request.js';
import type { RunningAction, Snapshot } from '../../protocol/snapshot.js';
import { passes } from './reserved.js';

type Asked = Pick<RaiseRequest, 'event'> & Partial<Pick<RaiseRequest, 'id' | 'from' | 'addressedAt'>>;

/** The action because of which an event is rejected, and with which answer. */
export interface BusyAnswer {
  readonly running: RunningAction;
  readonly answer: 'reject' | DeclaredRejection;
}

/** Why an event is rejected at once, although it may be valid when the running action has ended; nothing where it is not. */
export function busyAnswer(entity: AnyEntity, snapshot: Snapshot, request: Asked): BusyAnswer | undefined {
  const running = snapshot.running ?? postponedFor(snapshot, request);
  if (!running || request.addressedAt !== undefined || isPromised(snapshot, request)) return undefined;
  const answer = rejectionIn(entity, request.event, snapshot.state);
  return answer && { running, answer };
}

function postponedFor(snapshot: Snapshot, request: Asked): RunningAction | undefined {
  const { postponed, reservation } = snapshot;
  return reservation && passes(snapshot, request) ? undefined : postponed?.running;
}

function isPromised({ reservation }: Snapshot, { id }: Asked): boolean {
  return id !== undefined && reservation?.seal?.events.includes(id) === true;
}
