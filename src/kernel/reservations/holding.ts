/*
 * The reservations that an entity's actions have on others. S3.6
 *
 * holding.1. They are taken in key order, so that no two entities wait for each other's. When several are taken together, no
 *     lease ends while others are waited for: all leases run from the last grant.
 * holding.2. A reservation is released when its action ends, unless it is to last as long as the operation. It is always
 *     released when the action comes to nothing.
 */
import { entityId, sameEntity, type EntityRef } from '../../protocol/names.js';
import type { View } from '../../protocol/reading.js';
import type { HeldReservation } from '../../protocol/kept-reservation.js';
import type { Reserve } from '../../protocol/reservation.js';
import type { Awaited, Snapshot } from '../../protocol/snapshot.js';
import type { Effect, Step } from '../rules/step.js';

/** Lists what the entity has reserved in the current operation, the latest last. */
export function heldReservations(snapshot: Snapshot): readonly HeldReservation[] {
  const operation = snapshot.engagements.at(-1)?.operation;
  return [...snapshot.holds.filter((held) => held.operation === operation), ...(snapshot.running?.holds ?? [])];
}

export function heldOn(snapshot: Snapshot, to: EntityRef): HeldReservation | undefined {
  return heldReservations(snapshot).findLast(({ on }) => sameEntity(on, to));
}

/** Sorts the targets by type and key. holding.1 */
export function inKeyOrder(targets: readonly EntityRef[]): readonly EntityRef[] {
  return [...targets].sort((one, other) => (entityId(one) < entityId(other) ? -1 : 1));
}

/** Tells what is wrong when one of the targets comes before one that is held already. holding.1 */
export function outOfOrder(snapshot: Snapshot, targets: readonly EntityRef[], now: number): string | undefined {
  const held = [
    ...heldReservations(snapshot)
      .filter(({ until }) => until > now)
      .map(({ on }) => entityId(on)),
    ...(snapshot.running?.awaits ?? []).filter(({ kind }) => kind === 'reservation').map(({ on }) => on),
  ];
  for (const name of targets.map(entityId)) {
    const higher = held.includes(name) ? undefined : held.find((each) => each > name);
    if (higher === undefined) continue;
    const problem = `${entityId(snapshot)} reserves ${name} while it has reserved ${higher}, which comes after it`;
    return `${problem}. Reserve all in one call of app.reserveAll, or in the order of type and key.`;
  }
  return undefined;
}

/** Tells what is wrong when the entity had reserved the other one, and the lease has ended. */
export function endedLease(snapshot: Snapshot, to: EntityRef, event: string, now: number): string | undefined {
  const held = heldOn(snapshot, to);
  if (!held || held.until > now) return undefined;
  const ended = new Date(held.until).toISOString();
  return `The reservation of ${entityId(to)} ended with its lease at ${ended}, before '${event}' was raised. Reserve it again, with a longer lease.`;
}

/** Asks another entity for a reservation, or for a new lease where the old one has not ended. */
export function askFor(
  snapshot: Snapshot,
  to: EntityRef,
  terms: Pick<Reserve, 'wait' | 'leaseMs' | 'hold' | 'until'>,
  now: number,
): Effect {
  const { type, key, life, engagements, tenant } = snapshot;
  const operation = engagements.at(-1)?.operation ?? '';
  const held = heldOn(snapshot, to);
  const renews = held && held.until > now ? { renews: held.on.fence } : {};
  const from = { type, key, life };
  const asking = { from, operation, ...(tenant !== undefined && { tenant }) };
  return { kind: 'send', to, message: { kind: 'reserve', ...asking, ...terms, ...renews } };
}

/** Notes a reservation that has been granted. The operation releases those that last as long as it does. */
export function hold(snapshot: Snapshot, awaited: Extract<Awaited, { kind: 'reservation' }>, view: View): Step {
  const { running } = snapshot;
  const operation = snapshot.engagements.at(-1)?.operation ?? '';
  const { granted, wait } = view;
  if (!running || !granted) return { snapshot, effects: [] };
  const { fence, life, until } = granted;
  const { type, key } = view.from;
  const on = { type, key, fence, life };
  const held: HeldReservation = { wait, on, operation, until, hold: awaited.hold };
  const holds = [...(running.holds ?? []), held];
  const told: Effect = { kind: 'tell', operation, message: { kind: 'reserved', on: { type, key }, wait } };
  return {
    snapshot: { ...snapshot, running: { ...running, holds } },
    effects: held.hold === 'operation' ? [told] : [],
  };
}

/**
 * Starts the leases of the first when all that is reserved together has been granted: they run from now on, like that of the
 * last. holding.1
 */
export function beginLeases(snapshot: Snapshot, first: readonly EntityRef[], leaseMs: number, now: number): Step {
  const { running } = snapshot;
  if (!running?.holds) return { snapshot, effects: [] };
  const names = first.map(entityId);
  const isFirst = ({ on }: HeldReservation) => names.includes(entityId(on));
  const until = now + leaseMs;
  const holds = running.holds.map((held) => (isFirst(held) && held.until > until ? { ...held, until } : held));
  const effects = running.holds.filter(isFirst).map(({ on, wait }): Effect => ({
    kind: 'send',
    to: { type: on.type, key: on.key },
    message: { kind: 'lease', wait, leaseMs },
  }));
  return { snapshot: { ...snapshot, running: { ...running, holds } }, effects };
}

/** The reservations that stay when an action ends well: its own that last, and those of actions before it. holding.2 */
export function keptReservations(snapshot: Snapshot): readonly HeldReservation[] {
  const { running, holds } = snapshot;
  const operation = snapshot.engagements.at(-1)?.operation;
  const before = holds.filter((held) => held.operation === operation);
  return [...before, ...(running?.holds ?? []).filter((held) => held.hold === 'operation')];
}

/**
 * Releases the reservations of an action that has ended, except those that stay. holding.2 Expired leases are forgotten too:
 * the action has been told once, and the next action acts on the other entity as everybody does, or reserves it again.
 */
export function releaseReservations(
  before: Snapshot,
  { snapshot, effects }: Step,
  now: number,
  unsealed: readonly Effect[] = [],
): Step {
  const released = (before.running?.holds ?? []).filter(
    ({ wait }) => !snapshot.holds.some((kept) => kept.wait === wait),
  );
  const holds = snapshot.holds.filter(({ until }) => until > now);
  return {
    snapshot: holds.length < snapshot.holds.length ? { ...snapshot, holds } : snapshot,
    effects: [...effects, ...released.map(({ on, wait }) => releaseOf(on, wait)), ...unsealed],
  };
}

export function releaseOf({ type, key }: EntityRef, wait: string): Effect {
  return { kind: 'send', to: { type, key }, message: { kind: 'release', wait } };
}
