/*
 * The life of one operation, run by run: the same on every driver.
 */
import type { OperationStart } from '../protocol/operation-start.js';
import type { OperationMessage } from '../protocol/operation-message.js';
import { parseOperationMessage } from '../protocol/parse.js';
import type { OperationDriver } from './driver.js';
import type { RecordedOutcome } from '../protocol/records.js';
import { RecordOutbox } from '../recording/record-outbox.js';
import { operationRecord, recordedOutcome } from './record.js';
import { resultOf } from './result.js';
import type { OperationResult, OperationStatus } from './status.js';
import { OperationTracker, type Notice } from './tracker.js';

/** The input with which a run is started: the start of an operation, or the status that the run before it ended with. */
export type OperationInput = OperationStart | { readonly kind: 'continue'; readonly status: OperationStatus };

/** How a run ends. */
export type OperationRunEnd =
  | { readonly kind: 'ended'; readonly result: OperationResult }
  | { readonly kind: 'rollover'; readonly next: OperationInput };

/** For how long an operation has to hear nothing before it looks after its participants: at first, and at most. S4.4 */
const FIRST_LOOK_MS = 30_000;
const LONGEST_LOOK_MS = 600_000;

/** One run of an operation, until it has ended or goes on in a new run. */
export async function runOperation(driver: OperationDriver, input: OperationInput): Promise<OperationRunEnd> {
  const tracker = input.kind === 'continue' ? new OperationTracker(input.status) : OperationTracker.start(input);
  const records = new RecordOutbox(driver.records, () => driver.now());
  // A new run records again how far the operation is, so no other records have to be carried along. S5.2
  let recorded: RecordedOutcome | undefined;
  const show = (): void => {
    const status = tracker.status();
    driver.show(status);
    const outcome = recordedOutcome(status);
    if (recorded === outcome) return;
    recorded = outcome;
    records.put(operationRecord(status));
    records.offer();
  };
  let heard = 0;
  let sending = 0;

  const send = (notices: readonly Notice[]): void => {
    for (const notice of notices) {
      sending++;
      void driver
        .sendMessage(notice.to, notice.message)
        .then((delivery) => delivery === 'absent' && send(tracker.missed(notice)))
        .finally(() => sending--);
    }
  };

  driver.serve({
    status: () => tracker.status(),
    message: (message) => {
      const problem = parseOperationMessage(message);
      if (problem) {
        driver.warn('dropped a malformed message', { operation: tracker.id, problem });
        return;
      }
      heard++;
      const told = message as OperationMessage;
      // Older builds never asked again. What they have done is replayed as it was.
      if (told.kind === 'cancel' && tracker.asksAgain && !driver.asksAgain()) return;
      // Where a participant does not tell when an event ended, it is now.
      send(tracker.hear(told.kind === 'ended' ? { at: driver.now(), ...told } : told));
      // The cost of the details grows with the operation, so a large one shows them less often.
      if (heard % Math.ceil((tracker.size + 1) / 16) === 0) show();
    },
  });

  let lookMs = FIRST_LOOK_MS;
  let lookAt = driver.now() + lookMs;
  const ended = () => tracker.done && sending === 0;
  const rollsOver = () => sending === 0 && driver.shouldRollOver();
  for (;;) {
    if (ended()) {
      const releases = tracker.releases();
      if (releases.length === 0) break;
      send(releases);
    }
    if (rollsOver()) {
      return { kind: 'rollover', next: { kind: 'continue', status: tracker.status() } };
    }
    show();
    const before = heard;
    const hungAt = tracker.hungAt ?? Infinity;
    const summary = hungAt < lookAt ? 'the end of its budget' : 'look after participants';
    await driver.until(() => ended() || rollsOver(), Math.min(lookAt, hungAt) - driver.now(), summary);
    const now = driver.now();
    if (now >= hungAt) tracker.markHung();
    if (now < lookAt) continue;
    const quiet = heard === before;
    if (quiet) send(tracker.inquiries());
    lookMs = quiet ? Math.min(lookMs * 2, LONGEST_LOOK_MS) : FIRST_LOOK_MS;
    lookAt = now + lookMs;
  }
  const status = tracker.end(driver.now());
  show();
  await records.leave();
  return { kind: 'ended', result: resultOf(status) };
}
