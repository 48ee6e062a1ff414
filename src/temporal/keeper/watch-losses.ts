import type { Client } from '@temporalio/client';
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../definition/thrown.js';
import { findLosses } from './find-losses.js';
import { advance, firstProgress, type KeeperProgress } from './progress.js';
import { wakeKeeper } from './start.js';

/*
 * Workers that are invoked, as in AWS Lambda, have a keeper that sleeps for long: each of its questions would cost an invocation. Whoever
 * is up asks in its place, and wakes it when there is a loss. The wake lies in Temporal, so it is heard with no worker up. S4.4
 */

export interface LossWatchOptions {
  readonly client: Client;
  /** The task queue whose keeper tells the losses. */
  readonly taskQueue: string;
  /** The types of the entities. */
  readonly types: readonly string[];
  /** The pause between two questions, in milliseconds. Default 5 s. */
  readonly everyMs?: number;
  /** Is called with messages that a person should read. */
  readonly warn: (message: string) => void;
}

/** Asks which entities were ended by hand, and wakes the keeper of the task queue when there are new ones, until the signal ends it. S4.4 */
export async function watchLosses(options: LossWatchOptions, ended: AbortSignal): Promise<void> {
  const { everyMs = 5_000, warn } = options;
  let progress = firstProgress(Date.now());
  let isAway = false;
  while (!ended.aborted) {
    try {
      progress = await look(options, progress);
      isAway = false;
    } catch (thrown) {
      if (!isAway) warn(`The search for lost entities has failed, and is repeated: ${messageOf(thrown)}`);
      isAway = true;
    }
    await delay(everyMs, undefined, { signal: ended }).catch(() => undefined);
  }
}

/** Only what the keeper was woken for counts as known. */
async function look({ client, taskQueue, types }: LossWatchOptions, progress: KeeperProgress): Promise<KeeperProgress> {
  const askedAt = Date.now();
  const findings = await findLosses(client, {
    types,
    since: progress.since,
    known: progress.known.map(({ run }) => run),
  });
  if (findings.found.length > 0) await wakeKeeper(client, taskQueue);
  return advance(progress, findings, [], askedAt);
}
