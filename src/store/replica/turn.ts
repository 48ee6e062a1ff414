import { ReplicaError } from './replica-error.js';
import type { Side } from './side.js';

/** Any number: what the commands that change a replica at the same time take turns on. */
const LOCK = 7_300_126;

/** How long one of them may take, in milliseconds, before another one gives up. */
const TURN_WITHIN_MS = 60_000;
const CANCELED = '55P03';

/** Changes a replica while no other command does. A connection that breaks gives the turn back by itself. */
export function inTurn<T>(target: Side, work: () => Promise<T>): Promise<T> {
  return target.session(async (client) => {
    await client.query(`set lock_timeout = ${TURN_WITHIN_MS}`);
    try {
      await client.query(`select pg_advisory_lock(${LOCK})`);
    } catch (thrown) {
      if ((thrown as { readonly code?: string }).code !== CANCELED) throw thrown;
      throw new ReplicaError(
        'busy',
        `Another command is changing the replica at ${target.place}. Try again when it has ended.`,
      );
    }
    return work();
  });
}
