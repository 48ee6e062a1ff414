import type { RecordOutbox } from '../recording/record-outbox.js';
import type { Clock } from '../kernel/index.js';
import { untilHolds } from './until-holds.js';

/** Records are kept at the latest after so many milliseconds, together with those that follow soon. */
const KEPT_WITHIN_MS = 30_000;

/**
 * Keeps the records of a workflow that seldom rests, now and then, until that is over; and at once where it hurries, so that its run can
 * end. Nothing else in the workflow waits for it. S5.2
 */
export async function keepNowAndThen(
  outbox: RecordOutbox,
  clock: Clock,
  { isOver, hurries }: { readonly isOver: () => boolean; readonly hurries: () => boolean },
): Promise<void> {
  const until = (predicate: () => boolean, timeoutMs?: number) =>
    clock.until(untilHolds('records are kept'), predicate, timeoutMs);
  while (!isOver()) {
    await until(() => isOver() || !outbox.empty);
    const now = clock.now();
    const pause = Math.max(1, (outbox.retryAt ?? now + KEPT_WITHIN_MS) - now);
    await until(() => isOver() || (hurries() && outbox.due), pause);
    if (isOver()) return;
    outbox.rest();
    await outbox.keep();
  }
}
