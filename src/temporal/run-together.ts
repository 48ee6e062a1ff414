import type { State, Worker } from '@temporalio/worker';
import { allEnded } from './all-ended.js';
import type { CurrentCall } from './current-call.js';
import { describeStray } from './describe-stray.js';
import { hearStrays } from './stray-failures.js';
import { hearHolds, type Hold } from './watch/loop-watch.js';
import { workerSdk } from './worker-sdk.js';

/** The states in which a worker has not been told to end. Temporal's worker refuses to end before it runs. */
const ENDABLE: readonly State[] = ['INITIALIZED', 'RUNNING'];

/** Is done while workers run, until they have ended. */
export type BesideWork = (ended: AbortSignal) => Promise<void>;

/** Tells workers to take no more work. */
export function shutDown(workers: readonly Worker[]): void {
  for (const worker of workers) if (ENDABLE.includes(worker.getState())) worker.shutdown();
}

/**
 * Runs Temporal's workers of one process as one: when one of them ends, the others are left too. Tells meanwhile what providers do that
 * no call answers for.
 * @throws what the first of them throws
 */
export async function runTogether(
  workers: readonly Worker[],
  run: (worker: Worker) => Promise<void>,
  besides: readonly BesideWork[],
): Promise<void> {
  const ended = new AbortController();
  const hearNoMore = [hearStrays(logStray), hearHolds(logHold)];
  const done = besides.map((work) => work(ended.signal));
  try {
    await allEnded(workers.map(async (worker) => run(worker).finally(() => shutDown(workers))));
  } finally {
    ended.abort();
    for (const end of hearNoMore) end();
    await Promise.all(done);
  }
}

function logStray(thrown: unknown, call: CurrentCall): void {
  const { message, attributes } = describeStray(thrown, call);
  workerSdk().Runtime.instance().logger.error(message, attributes);
}

function logHold({ call, at, ms }: Hold): void {
  const message =
    'A provider has held up its whole worker: no entity was served. Await long work, or move it to a worker ' +
    'thread or a separate process.';
  workerSdk()
    .Runtime.instance()
    .logger.error(message, { ...call, at, heldMs: Math.round(ms) });
}
