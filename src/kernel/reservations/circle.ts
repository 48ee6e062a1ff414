/*
 * Circles of waiting, found by probes along the waiting edges (Chandy, Misra and Haas). S3.8
 *
 * circle.1. A probe is sent for each wait that begins, so the wait that closes a circle finds it. Later probes of the same wait
 *     (5 s, 25 s, 105 s after its beginning, and so on) find circles that were closed by an event for which nobody waits.
 * circle.2. A probe that comes back to its initiator refuses the wait, if the initiator still waits. Late, doubled and unknown
 *     probes do nothing, and no probe goes further than the longest path.
 * circle.3. Whatever waits on this entity waits for the running action and for the owner of the reservation. It does not wait
 *     for the next owners: they wait for the same owner, and are in its way only when it is their turn. When an action gets a
 *     reservation while it still waits for something else, it sends a probe for each of its other waits: the new edge goes from
 *     the reserved entity to this action, and leads to these waits alone. So a circle is found as soon as it exists.
 * circle.4. A probe goes over each edge once in each round of its wait (passed-probes.ts). So n waits for one entity send a
 *     number of probes in proportion to n in each round, whatever else these actions wait for.
 */
import type { LivingRef } from '../../protocol/refs.js';
import type { RaiseRequest } from '../../protocol/request.js';
import { entityId, parseEntityId } from '../../protocol/names.js';
import type { Probe, WaitedFor } from '../../protocol/probe.js';
import type { Reserve, Seal } from '../../protocol/reservation.js';
import type { Awaited, Snapshot, Successor } from '../../protocol/snapshot.js';
import { isHeldBack, isSame, passes } from '../rules/reserved.js';
import type { Effect } from '../rules/step.js';

const LONGEST_PATH = 100;

/** The probe for a wait that an action has begun on this entity: for an event, a reservation or a seal. circle.1 */
export function probeOf(snapshot: Snapshot, asked: RaiseRequest | Reserve | Seal): Probe | undefined {
  const on = entityId(snapshot);
  if ('kind' in asked) {
    return {
      kind: 'probe',
      initiator: asked.from,
      wait: asked.wait,
      round: 0,
      path: [{ on, kind: asked.kind === 'seal' ? 'seal' : 'reservation', id: asked.wait }],
    };
  }
  const { from, awaited, id } = asked;
  return from && awaited !== undefined
    ? { kind: 'probe', initiator: from, wait: awaited, round: 0, path: [{ on, kind: 'event', id }] }
    : undefined;
}

/** Sends the probe of a wait that goes on again, in a new round. circle.1 */
export function probeAgain(snapshot: Snapshot, awaited: Awaited, round: number): readonly Effect[] {
  const to = parseEntityId(awaited.on);
  const [waits] = waitedForBy(awaited);
  if (!to || !waits) return [];
  const { type, key, life } = snapshot;
  const { wait } = awaited;
  const initiator = { type, key, life };
  return [{ kind: 'send', to, message: { kind: 'probe', initiator, wait, round, path: [waits] } }];
}

/**
 * The names of a circle, from the initiator to the entity that waits for it; nothing when the probe has found no circle.
 * circle.2
 */
export function circleOf(snapshot: Snapshot, { initiator, wait, path }: Probe): readonly string[] | undefined {
  const waits = snapshot.running?.awaits?.some((each) => each.wait === wait) ?? false;
  const last = path.at(-1);
  if (!waits || !last || !isSame(initiator, snapshot) || !needsAction(snapshot, last)) return undefined;
  return [entityId(snapshot), ...path.slice(0, -1).map(({ on }) => on)];
}

/** Sends a probe on to all that this entity waits for in turn. */
export function forward(snapshot: Snapshot, probe: Probe): readonly Effect[] {
  const { path, initiator } = probe;
  const last = path.at(-1);
  if (!last || path.length >= LONGEST_PATH || circleOf(snapshot, probe)) return [];
  return waitedFor(snapshot, last, initiator).flatMap((each): readonly Effect[] => {
    const to = parseEntityId(each.on);
    return to ? [{ kind: 'send', to, message: { ...probe, path: [...path, each] } }] : [];
  });
}

/** Tells whether the running action, or the one that is to run again, has to end before this wait can. */
function needsAction(snapshot: Snapshot, { kind, id }: WaitedFor): boolean {
  const { running, waiting, engagements, reservation, reservers, holds } = snapshot;
  switch (kind) {
    case 'event':
      return [...waiting, ...engagements].some((each) => each.id === id);
    case 'reservation':
      return reservers.some(({ wait }) => wait === id);
    case 'seal':
      return reservation?.seal?.first !== undefined && reservation.seal.wait === id;
    case 'release': {
      const ofAction = [...(running?.holds ?? []), ...(running?.awaits ?? [])].some(({ wait }) => wait === id);
      const held = holds.find(({ wait }) => wait === id);
      return ofAction || engagements.some(({ operation }) => operation === held?.operation);
    }
  }
}

function waitedFor(snapshot: Snapshot, what: WaitedFor, initiator: LivingRef): readonly WaitedFor[] {
  return [
    ...(needsAction(snapshot, what) ? (snapshot.running?.awaits ?? []).flatMap(waitedForBy) : []),
    ...awaitedRelease(snapshot, what),
    // The initiator ends its own part only after the action that waits, so nobody waits for that part. tracker.3
    ...unsettled(snapshot, what)
      .filter((successor) => entityId(successor) !== entityId(initiator))
      .map((successor): WaitedFor => ({ on: entityId(successor), kind: 'event', id: successor.request })),
  ];
}

function waitedForBy(awaited: Awaited): readonly WaitedFor[] {
  const { kind, on, wait } = awaited;
  if (kind === 'view' || kind === 'answer') return [];
  return [kind === 'event' ? { on, kind, id: awaited.engagement } : { on, kind, id: wait }];
}

/** The reservation of this entity that has to end before this wait can. circle.3 */
function awaitedRelease(snapshot: Snapshot, { kind, id }: WaitedFor): readonly WaitedFor[] {
  const { reservation, reservers, waiting, engagements } = snapshot;
  if (!reservation) return [];
  const event = waiting.find((each) => each.id === id);
  const held = event
    ? !passes(snapshot, event)
    : (kind === 'reservation' && reservers.some(({ wait }) => wait === id)) ||
      (isHeldBack(snapshot) && engagements.some((each) => each.id === id));
  return held ? [{ on: entityId(reservation.owner), kind: 'release', id: reservation.wait }] : [];
}

/** Successors that have not settled, in the operation of this wait. */
function unsettled(snapshot: Snapshot, { kind, id }: WaitedFor): readonly Successor[] {
  if (kind === 'reservation' || kind === 'seal' || snapshot.waiting.some((each) => each.id === id)) return [];
  const open = snapshot.successors.filter(
    ({ event, outcome }) => event === 'pending' || event === 'accepted' || (outcome?.waiting && !outcome.lost),
  );
  const caused = snapshot.engagements.find((each) => each.id === id)?.caused;
  if (caused) return open.filter(({ request }) => caused.some(({ engagement }) => engagement === request));
  const operation =
    kind === 'event'
      ? snapshot.ledger.recent.find((each) => each.id === id)?.operation
      : snapshot.holds.find(({ wait }) => wait === id)?.operation;
  return open.filter((successor) => successor.operation === operation);
}
