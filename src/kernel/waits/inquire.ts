/*
 * Questions that are asked again and again while an action waits, at growing distances: whether its successors still exist (S4.4), and
 * whether an event for which nobody waits has closed a circle of waiting (S3.8).
 */
import type { AnyEntity } from '../../definition/entity.js';
import type { Awaited, Inquiries, Snapshot } from '../../protocol/snapshot.js';
import { probeAgain } from '../reservations/circle.js';
import { LOOK_DISTANCE, type LookDistance } from '../rules/look-distance.js';
import { andThen, type Step } from '../rules/step.js';
import { lookAfterSuccessors } from '../successors/look.js';
import { changeAwait } from './awaits.js';

/** After how long a probe is sent again, in milliseconds: each time four times as long. */
const FIRST_PROBE_MS = 5_000;

/** Those of a wait that begins now. */
export function firstInquiries(now: number, { firstMs }: LookDistance = LOOK_DISTANCE): Inquiries {
  return { round: 0, probes: 0, probeAt: now + FIRST_PROBE_MS, looks: 0, lookAt: now + firstMs };
}

/** When the next question of a wait is due, or its time is over, in milliseconds since 1970. A read has none. */
export function nextInquiry({ kind, until, inquiries }: Awaited): number {
  if (!inquiries) return until;
  return Math.min(inquiries.probeAt, kind === 'event' ? inquiries.lookAt : until, until);
}

/** Asks all that is due. */
export function inquire(
  entity: AnyEntity,
  snapshot: Snapshot,
  awaited: Awaited,
  now: number,
  { firstMs, longestMs }: LookDistance = LOOK_DISTANCE,
): Step & { readonly awaited: Awaited } {
  let [step, asked]: [Step, Awaited] = [{ snapshot, effects: [] }, awaited];
  const { inquiries } = awaited;
  if (!inquiries) return { ...step, awaited };
  if (now >= inquiries.probeAt) {
    const probes = inquiries.probes + 1;
    asked = counting(asked, { probes, probeAt: now + FIRST_PROBE_MS * 4 ** probes, round: inquiries.round + 1 });
    step = { snapshot: changeAwait(snapshot, asked), effects: probeAgain(snapshot, asked, inquiries.round + 1) };
  }
  if (awaited.kind === 'event' && now >= inquiries.lookAt) {
    const looks = inquiries.looks + 1;
    asked = counting(asked, { looks, lookAt: now + Math.min(firstMs * 2 ** looks, longestMs) });
    step = andThen(step, (each) => lookAfterSuccessors(entity, changeAwait(each, asked), now));
  }
  return { ...step, awaited: asked };
}

/** Sends the probe of a wait again at once. circle.3 */
export function probed(snapshot: Snapshot, awaited: Awaited): Step {
  const round = (awaited.inquiries?.round ?? 0) + 1;
  return {
    snapshot: changeAwait(snapshot, counting(awaited, { round })),
    effects: probeAgain(snapshot, awaited, round),
  };
}

function counting(awaited: Awaited, more: Partial<Inquiries>): Awaited {
  return awaited.inquiries ? { ...awaited, inquiries: { ...awaited.inquiries, ...more } } : awaited;
}
