import type { Awaited, Snapshot } from '../../protocol/snapshot.js';
import type { EntityDriver } from './driver.js';
import { LOOK_DISTANCE } from '../rules/look-distance.js';
import type { Step } from '../rules/step.js';

/** After how long a probe is sent again, in milliseconds: each time four times as long. */
const FIRST_PROBE_MS = 5_000;

/** The questions that are asked again and again while an action waits. */
interface Inquiries {
  /** Asks whether the successors still exist. S4.4 */
  look(): void;
  /** Asks whether an event for which nobody waits has closed a circle. S3.8 */
  probe(): void;
}

/** Waits for the answer, or until the time limit, and asks these questions at growing distances. */
export async function untilAnswered(
  driver: EntityDriver,
  awaited: Awaited,
  over: () => boolean,
  ask: Inquiries,
): Promise<void> {
  const { kind, until } = awaited;
  const { firstMs, longestMs } = driver.lookDistance ?? LOOK_DISTANCE;
  const startedAt = driver.now();
  let probeMs = kind === 'view' || kind === 'answer' ? Infinity : FIRST_PROBE_MS;
  let lookMs = kind === 'event' ? firstMs : Infinity;
  let probeAt = startedAt + probeMs;
  let lookAt = startedAt + lookMs;
  for (;;) {
    const next = Math.min(probeAt, lookAt, until);
    if (await driver.until(over, next - driver.now(), summaryOf(awaited))) return;
    const now = driver.now();
    if (now >= until) return;
    if (now >= probeAt) {
      ask.probe();
      probeMs *= 4;
      probeAt = now + probeMs;
    }
    if (now >= lookAt) {
      ask.look();
      lookMs = Math.min(lookMs * 2, longestMs);
      lookAt = now + lookMs;
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

function summaryOf(awaited: Awaited): string {
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
