import { entityId } from '../../protocol/names.js';
import type { Invariant } from '../fact.js';

/** S3.6: a reserved entity does only what its owner sets off, and no reservation outlives its lease. */
export function reservationsEnd(): Invariant {
  return {
    name: 'a reservation holds, and ends',
    hear(fact, all) {
      if (fact.kind === 'started') {
        const { reservation } = fact.snapshot;
        if (!reservation) return undefined;
        const said = `${fact.by.id} starts '${fact.action}' while ${entityId(reservation.owner)} has reserved it`;
        if (reservation.until < all.now) return `${said}, after the lease has ended`;
        return reservation.used ? undefined : `${said} and has raised nothing on it`;
      }
      if (fact.kind !== 'quiet') return undefined;
      for (const { subject, snapshot } of all.entities()) {
        const { reservation, reservers } = snapshot;
        if (reservation) return `${subject.id} is still reserved by ${entityId(reservation.owner)}`;
        if (reservers.length > 0) return `${entityId(reservers[0]!.from)} still waits to reserve ${subject.id}`;
      }
      return undefined;
    },
  };
}
