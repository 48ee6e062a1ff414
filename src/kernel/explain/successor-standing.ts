import type { Health } from '../../definition/state.js';
import { entityId } from '../../protocol/names.js';
import type { Successor } from '../../protocol/snapshot.js';

/** How a successor stood when it reported last. It may have moved since. */
export interface SuccessorStanding {
  /** `SqlApplication/orders` */
  readonly entity: string;
  readonly role?: string;
  /**
   * `pending`: the event that was raised on it has not been answered, or it has not settled since. `waiting`: it rests for
   * its own successors. `missed`: it was absent at the last look.
   */
  readonly is: 'pending' | 'accepted' | 'missed' | 'rejected' | 'waiting' | 'settled' | 'lost';
  /** The state in which it was when it told something last. */
  readonly state?: string;
  readonly health?: Health;
  /** The message of the rejection or the error, for people. */
  readonly message?: string;
}

export function successorStanding(successor: Successor): SuccessorStanding {
  const { role, outcome } = successor;
  const message = outcome?.rejection?.message ?? outcome?.error?.message;
  return {
    entity: entityId(successor),
    ...(role !== undefined && { role }),
    is: kindOf(successor),
    ...(outcome && !outcome.rejection && { state: outcome.state, health: outcome.health }),
    ...(message !== undefined && { message }),
  };
}

function kindOf({ event, outcome, missed }: Successor): SuccessorStanding['is'] {
  if (outcome?.lost) return 'lost';
  if (event === 'rejected') return 'rejected';
  if (missed) return 'missed';
  if (event !== 'settled') return event;
  return outcome?.waiting ? 'waiting' : 'settled';
}
