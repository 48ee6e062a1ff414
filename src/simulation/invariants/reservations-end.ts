import { isSealed } from '../../kernel/index.js';
import { entityId, operationWorkflowId } from '../../protocol/names.js';
import type { Reservation } from '../../protocol/kept-reservation.js';
import type { Fact, Invariant, Overview } from '../fact.js';
import { LONGEST_LAG_MS } from '../fault.js';

/** How long a release may be on its way, behind other messages that are late, in milliseconds. */
const ON_ITS_WAY_MS = 60_000;
/** After how long a sealed entity has found that its owner is gone. */
const FOUND_GONE_MS = 300_000;

/** S3.6: a reserved entity does only what its owner sets off, and no reservation outlives its lease, unless it is sealed, or what it is for. */
export function reservationsEnd(): Invariant {
  /** Reservations that nobody needs any more, and since when. */
  let needless = new Map<string, number>();
  /** Events that the entity has promised to admit, even after the lease. */
  const promised = new Set<string>();
  /** Owners whose end is told to nobody: the lease ends their reservations, or a look where the entity is sealed. */
  const untold = new Set<string>();
  return {
    name: 'a reservation holds, and ends',
    hear(fact, all) {
      if (fact.kind === 'delivered' && fact.message.kind === 'seal') {
        for (const id of [fact.message.first.id, ...fact.message.others]) promised.add(id);
      }
      if (fact.kind === 'terminated' && fact.untold) untold.add(fact.life);
      if (fact.kind === 'started') return start(fact, promised, all);
      if (fact.kind === 'paused') return outlives(all);
      return fact.kind === 'quiet' ? remains(all) : undefined;
    },
  };

  function outlives(all: Overview): string | undefined {
    const before = needless;
    needless = new Map();
    for (const { subject, snapshot } of all.entities()) {
      const { reservation, running, rollingOver } = snapshot;
      if (!reservation) continue;
      const said = `${entityId(reservation.owner)} has reserved ${subject.id}`;
      const sealed = isSealed(snapshot);
      // A timer that was begun while the service's clock lagged ends as late.
      if (reservation.until + LONGEST_LAG_MS <= all.now && !running && !rollingOver && !sealed)
        return `${said}, and the lease has ended`;
      if (isNeeded(reservation, all) || (untold.has(reservation.owner.life) && !sealed)) continue;
      // The release keeps its place behind messages that wait for the store.
      if (snapshot.doubted?.some((each) => each.kind === 'release' && each.wait === reservation.wait)) continue;
      const since = before.get(reservation.wait) ?? all.now;
      needless.set(reservation.wait, since);
      if (all.now - since > (sealed ? FOUND_GONE_MS : ON_ITS_WAY_MS))
        return `${said}, and the ${reservation.hold} has ended for which it was`;
    }
    return undefined;
  }
}

function start(
  { by, action, snapshot }: Extract<Fact, { kind: 'started' }>,
  promised: ReadonlySet<string>,
  all: Overview,
): string | undefined {
  const { reservation } = snapshot;
  if (!reservation) return undefined;
  const said = `${by.id} starts '${action}' while ${entityId(reservation.owner)} has reserved it`;
  if (reservation.until < all.now && !promised.has(snapshot.engagements.at(-1)?.id ?? ''))
    return `${said}, after the lease has ended`;
  return reservation.used ? undefined : `${said} and has raised nothing on it`;
}

/** Tells whether the action or operation for which the entity was reserved goes on. */
function isNeeded({ hold, owner, operation, wait }: Reservation, all: Overview): boolean {
  if (hold === 'operation') return all.operations().some(({ id }) => id === operationWorkflowId(operation));
  const { running } = all.entities().find(({ subject }) => subject.life === owner.life)?.snapshot ?? {};
  return [...(running?.holds ?? []), ...(running?.awaits ?? [])].some((each) => each.wait === wait);
}

function remains(all: Overview): string | undefined {
  for (const { subject, snapshot } of all.entities()) {
    const { reservation, reservers } = snapshot;
    if (reservation) return `${subject.id} is still reserved by ${entityId(reservation.owner)}`;
    if (reservers.length > 0) return `${entityId(reservers[0]!.from)} still waits to reserve ${subject.id}`;
  }
  return undefined;
}
