import type { AnyEntity } from '../definition/entity.js';
import type { Rejection } from '../protocol/messages.js';
import type { Snapshot } from '../protocol/snapshot.js';
import { decide, validEvents } from './decide.js';

/** Whether an event may be raised from outside now, or why not. S2.6 */
export type AllowedEvent = {
  readonly event: string;
  /** The action that runs: the event waits for it, and is then validated in the state that it leaves. S2.3 */
  readonly behind?: string;
} & ({ readonly allowed: true } | { readonly allowed: false; readonly rejection: Rejection });

/** What holds now for each declared event, in the order of the declaration. Parameters are left out of account. S2.6 */
export function allowedEvents(entity: AnyEntity, snapshot: Snapshot): readonly AllowedEvent[] {
  const valid = validEvents(entity, snapshot.state, true);
  const behind = snapshot.running && { behind: snapshot.running.action };
  return Object.keys(entity.events).map((event): AllowedEvent => {
    if (valid.includes(event)) return { event, allowed: true, ...behind };
    const decision = decide(entity, snapshot, { event, outside: true });
    if (decision.accepted) throw new Error(`'${event}' is accepted in ${snapshot.state}, where it is not valid.`);
    return { event, allowed: false, rejection: decision.rejection, ...behind };
  });
}
