/*
 * Circles of waiting, found by probes along the waiting edges (Chandy, Misra and Haas). S3.8
 *
 * circle.1. Whoever begins to wait has a probe sent for that wait: the last one to close a circle finds it. Later probes of the
 *     same wait (5 s, 25 s, 105 s after its beginning, and so on) find those that were closed by an event which nobody waits
 *     for.
 * circle.2. A probe that comes back to its initiator while that still waits refuses the wait. Late, doubled and unknown ones do
 *     nothing, and none goes further than its longest path.
 * circle.3. What has to wait here waits for the action that runs and for the owner of the reservation, and not for those who will
 *     own it before its turn comes: they wait for the same owner. Their turn is when they get in the way. An action that gets
 *     a reservation while it still waits for something else then sends a probe for each of its other waits, and so closes no
 *     circle unseen: it alone has got a new edge out of the reserved entity, and its other waits are all that this edge leads
 *     to. So a circle is found as soon as it is there.
 * circle.4. A probe goes over each edge once in each round of its wait (passed-probes.ts). So n that wait for one entity send in
 *     proportion to n in each round, each for itself, whatever they wait for beside it.
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

/** A probe for what an action has begun to wait for on this entity, by an event, a reservation or a seal. circle.1 */
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

/** The probe of a wait that goes on, sent again: in a round after the last. circle.1 */
export function probeAgain(snapshot: Snapshot, awaited: Awaited, round: number): readonly Effect[] {
  const to = parseEntityId(awaited.on);
  const [waits] = waitedForBy(awaited);
  if (!to || !waits) return [];
  const { type, key, life } = snapshot;
  const { wait } = awaited;
  const initiator = { type, key, life };
  return [{ kind: 'send', to, message: { kind: 'probe', initiator, wait, round, path: [waits] } }];
}

/** The names of a circle, from the initiator to the one that waits for it; nothing when the probe has found none. circle.2 */
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

/** Whether the running action, or the one that is to run again, has to end before this can. */
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
    // What the initiator itself has to end comes after the action that waits, and is not waited for. tracker.3
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

/** The reservation of this entity that has to end before what is meant. circle.3 */
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

/** Successors that have not settled, in the operation of what is meant. */
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
