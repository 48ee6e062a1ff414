/*
 * Circles of waiting, found by probes along the waiting edges (Chandy, Misra and Haas). S3.8
 *
 * Q1. Whoever begins to wait has a probe sent for that wait: the last one to close a circle finds it. Later probes of the
 *     same wait find those that were closed by an event which nobody waits for.
 * Q2. A probe that comes back to its initiator while that still waits refuses the wait. Late, doubled and unknown ones do
 *     nothing, and none goes further than its longest path.
 */
import type { LivingRef, RaiseRequest } from '../protocol/messages.js';
import { entityId, parseEntityId } from '../protocol/names.js';
import type { Probe, WaitedFor } from '../protocol/probe.js';
import type { Reserve, Seal } from '../protocol/reservation.js';
import type { Awaited, Snapshot, Successor } from '../protocol/snapshot.js';
import { isHeldBack, isSame, passes } from './reserved.js';
import type { Effect } from './step.js';

const LONGEST_PATH = 100;

/** A probe for what an action has begun to wait for on this entity, by an event, a reservation or a seal. Q1 */
export function probeOf(snapshot: Snapshot, asked: RaiseRequest | Reserve | Seal): Probe | undefined {
  const on = entityId(snapshot);
  if ('kind' in asked) {
    return {
      kind: 'probe',
      initiator: asked.from,
      wait: asked.wait,
      path: [{ on, kind: asked.kind === 'seal' ? 'seal' : 'reservation', id: asked.wait }],
    };
  }
  const { from, awaited, id } = asked;
  return from && awaited !== undefined
    ? { kind: 'probe', initiator: from, wait: awaited, path: [{ on, kind: 'event', id }] }
    : undefined;
}

/** The probe of a wait that goes on, sent again. Q1 */
export function probeAgain(snapshot: Snapshot, awaited: Awaited): readonly Effect[] {
  const to = parseEntityId(awaited.on);
  const [waits] = waitedForBy(awaited);
  if (!to || !waits) return [];
  const { type, key, life } = snapshot;
  const { wait } = awaited;
  return [{ kind: 'send', to, message: { kind: 'probe', initiator: { type, key, life }, wait, path: [waits] } }];
}

/** The names of a circle, from the initiator to the one that waits for it; nothing when the probe has found none. Q2 */
export function circleOf(snapshot: Snapshot, { initiator, wait, path }: Probe): readonly string[] | undefined {
  const waits = snapshot.running?.awaits?.some((each) => each.wait === wait) ?? false;
  const last = path.at(-1);
  if (!waits || !last || !isSame(initiator, snapshot) || !needsAction(snapshot, last)) return undefined;
  return [entityId(snapshot), ...path.slice(0, -1).map(({ on }) => on)];
}

/** Sends a probe on to all that this entity waits for in turn. */
export function forward(snapshot: Snapshot, { initiator, wait, path }: Probe): readonly Effect[] {
  const last = path.at(-1);
  if (!last || path.length >= LONGEST_PATH) return [];
  const next = new Map<string, WaitedFor>();
  for (const each of waitedFor(snapshot, last, initiator)) {
    if (!path.some((passed) => nameOf(passed) === nameOf(each))) next.set(nameOf(each), each);
  }
  return [...next.values()].flatMap((each): readonly Effect[] => {
    const to = parseEntityId(each.on);
    const message: Probe = { kind: 'probe', initiator, wait, path: [...path, each] };
    return to ? [{ kind: 'send', to, message }] : [];
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
    ...awaitedReleases(snapshot, what),
    // What the initiator itself has to end comes after the action that waits, and is not waited for. P3
    ...unsettled(snapshot, what)
      .filter((successor) => entityId(successor) !== entityId(initiator))
      .map((successor): WaitedFor => ({ on: entityId(successor), kind: 'event', id: successor.request })),
  ];
}

function waitedForBy(awaited: Awaited): readonly WaitedFor[] {
  const { kind, on, wait } = awaited;
  if (kind === 'view') return [];
  return [kind === 'event' ? { on, kind, id: awaited.engagement } : { on, kind, id: wait }];
}

/** Those who have reserved this entity, or will have before it is the turn of what is meant. */
function awaitedReleases(snapshot: Snapshot, { kind, id }: WaitedFor): readonly WaitedFor[] {
  const { reservation, reservers, waiting, engagements } = snapshot;
  const place = kind === 'reservation' ? reservers.findIndex(({ wait }) => wait === id) : -1;
  const event = waiting.find((each) => each.id === id);
  const held = event
    ? !passes(snapshot, event)
    : place >= 0 || (isHeldBack(snapshot) && engagements.some((each) => each.id === id));
  const release = (owner: LivingRef, wait: string): WaitedFor => ({ on: entityId(owner), kind: 'release', id: wait });
  return [
    ...(held && reservation ? [release(reservation.owner, reservation.wait)] : []),
    ...reservers.slice(0, Math.max(place, 0)).map(({ from, wait }) => release(from, wait)),
  ];
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

function nameOf({ on, kind, id }: WaitedFor): string {
  return `${on} ${kind} ${id}`;
}
