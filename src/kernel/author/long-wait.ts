import type { Awaited, Inquiries, Snapshot } from '../../protocol/snapshot.js';
import type { EntityDriver } from '../run/driver.js';
import { LOOK_DISTANCE, type LookDistance } from '../rules/look-distance.js';
import type { Step } from '../rules/step.js';

/** After how long a probe is sent again, in milliseconds: each time four times as long. */
const FIRST_PROBE_MS = 5_000;

/** The questions that are asked again and again while an action waits. */
interface Questions {
  /** Asks whether the successors still exist. S4.4 */
  look(): void;
  /** Asks whether an event for which nobody waits has closed a circle. S3.8 */
  probe(): void;
}

/** The inquiries of a wait that goes on for as long as it takes. */
export type Counted = { -readonly [Name in keyof Inquiries]: Inquiries[Name] };

/** Those of a wait that begins now. */
export function firstInquiries({ now, lookDistance = LOOK_DISTANCE }: Times): Counted {
  return { round: 0, probes: 0, probeAt: now + FIRST_PROBE_MS, looks: 0, lookAt: now + lookDistance.firstMs };
}

interface Times {
  readonly now: number;
  readonly lookDistance: LookDistance | undefined;
}

/** Waits for the answer, or until the time limit, and asks these questions at growing distances. */
export async function untilAnswered(
  driver: EntityDriver,
  awaited: Awaited,
  over: () => boolean,
  ask: Questions,
  inquiries: Counted,
): Promise<void> {
  const { kind, until } = awaited;
  const [probes, looks] = [kind !== 'view', kind === 'event'];
  const { firstMs, longestMs } = driver.lookDistance ?? LOOK_DISTANCE;
  for (;;) {
    const next = Math.min(probes ? inquiries.probeAt : until, looks ? inquiries.lookAt : until, until);
    if (await driver.until(over, next - driver.now(), summaryOf(awaited))) return;
    const now = driver.now();
    if (now >= until) return;
    if (probes && now >= inquiries.probeAt) {
      ask.probe();
      inquiries.probeAt = now + FIRST_PROBE_MS * 4 ** ++inquiries.probes;
    }
    if (looks && now >= inquiries.lookAt) {
      ask.look();
      inquiries.lookAt = now + Math.min(firstMs * 2 ** ++inquiries.looks, longestMs);
    }
  }
}

/** Changes what the running action waits for. */
export function changeAwaits(snapshot: Snapshot, change: (awaits: readonly Awaited[]) => readonly Awaited[]): Step {
  if (!snapshot.running) return { snapshot, effects: [] };
  const { awaits = [], ...running } = snapshot.running;
  const changed = change(awaits);
  const after = { ...running, ...(changed.length > 0 && { awaits: changed }) };
  return { snapshot: { ...snapshot, running: after }, effects: [] };
}

/** Tells people what an action waits for. */
export function summaryOf(awaited: Awaited): string {
  switch (awaited.kind) {
    case 'event':
      return `${awaited.event} on ${awaited.on}`;
    case 'view':
      return `a read of ${awaited.on}`;
    case 'reservation':
      return `the reservation of ${awaited.on}`;
    case 'seal':
      return `the promise of ${awaited.on} to admit ${awaited.event}`;
    case 'answer':
      return `the answer to ${awaited.on}`;
  }
}
