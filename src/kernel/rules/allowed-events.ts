import { abortsIn } from '../../definition/busy.js';
import type { AnyEntity } from '../../definition/entity.js';
import type { Actor } from '../../protocol/actor.js';
import type { Rejection } from '../../protocol/rejection.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { busyRejection } from './busy-rejection.js';
import { certainRejection } from './certain-rejection.js';
import { decide, isClosed } from './decide.js';
import { refusePermission } from './permission.js';
import { abortOf, waitsBehind } from './reserved.js';
import { possibleEvents } from './valid-now.js';

/** Describes whether an event may be raised from outside now, or why not. S2.6 */
export type AllowedEvent = {
  readonly event: string;
  /** Shows what people read instead of its name, where it has another one. */
  readonly displayName?: string;
  /**
   * The event would wait for the end of this action or reservation, and be validated in the state that it finds then. S2.3,
   * S3.6
   */
  readonly behind?: string;
} & ({ readonly allowed: true } | { readonly allowed: false; readonly rejection: Rejection });

/**
 * Says of each declared event whether it may be raised now, by the actor where one is given. Parameters are not checked. S2.6,
 * S6.5
 */
export function allowedEvents(entity: AnyEntity, snapshot: Snapshot, actor?: Actor): readonly AllowedEvent[] {
  const valid = possibleEvents(entity, snapshot, true);
  const { reservation, postponed, running = reservation ? undefined : postponed?.running } = snapshot;
  const waits = waitsBehind(snapshot, {});
  return Object.entries(entity.events).map(([event, { internal, displayName }]): AllowedEvent => {
    const forbidden = actor && !internal && refusePermission(entity, snapshot, { event, actor });
    const aborted = running && abortsIn(entity, event, snapshot.state);
    const behind = waits !== undefined && { behind: aborted ? abortOf(running) : waits };
    const named = { event, ...(displayName !== undefined && { displayName }) };
    if (forbidden) return { ...named, allowed: false, rejection: forbidden, ...behind };
    const asked = { event, ...(actor && { actor }) };
    const busy = internal ? undefined : busyRejection(entity, snapshot, asked);
    if (valid.includes(event) && busy) return { ...named, allowed: false, rejection: busy };
    if (valid.includes(event)) return { ...named, allowed: true, ...behind };
    const decision = decide(entity, snapshot, { event, outside: true });
    if (decision.accepted) throw new Error(`'${event}' is accepted in ${snapshot.state}, where it is not valid.`);
    const certain = isClosed(entity, snapshot, asked) || certainRejection(entity, snapshot, asked) !== undefined;
    if (!certain && busy) return { ...named, allowed: false, rejection: busy };
    return { ...named, allowed: false, rejection: decision.rejection, ...(!certain && behind) };
  });
}
