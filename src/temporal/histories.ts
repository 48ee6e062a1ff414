import type { Client } from '@temporalio/client';
import { historyFromJSON, historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import type { ReplayResult, WorkflowBundleOption } from '@temporalio/worker';
import type { ReplayHistoriesIterable } from '@temporalio/worker/lib/replay.js';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { NO_STORE } from './own-activities.js';
import { workerSdk } from './worker-sdk.js';

type History = Awaited<ReturnType<ReturnType<Client['workflow']['getHandle']>['fetchHistory']>>;

/** The history of one run. */
export interface RunHistory {
  readonly workflowId: string;
  readonly history: History;
}

const [PLAIN, ZIPPED] = ['.json', '.json.gz'];

/** Replays histories on this code, one after the other. S4.1a */
export function replayHistories(
  workflowBundle: WorkflowBundleOption,
  histories: ReplayHistoriesIterable,
): AsyncIterable<ReplayResult> {
  return workerSdk().Worker.runReplayHistories({ workflowBundle, sinks: NO_STORE }, histories);
}

/** Reads histories from files, as `temporal workflow show --output json` writes them, gzipped or not, and from folders of them. */
export async function* readHistories(paths: readonly string[]): AsyncGenerator<RunHistory> {
  for (const path of paths) {
    if ((await stat(path)).isDirectory()) {
      const names = (await readdir(path)).filter((name) => name.endsWith(PLAIN) || name.endsWith(ZIPPED));
      yield* readHistories(names.toSorted().map((name) => join(path, name)));
    } else yield await readHistory(path);
  }
}

async function readHistory(path: string): Promise<RunHistory> {
  const content = await readFile(path);
  const text = (path.endsWith(ZIPPED) ? gunzipSync(content) : content).toString();
  let history: History;
  try {
    history = historyFromJSON(JSON.parse(text));
  } catch (thrown) {
    throw new Error(`${path} holds no history of a workflow: ${(thrown as Error).message}`, { cause: thrown });
  }
  const workflowId = history.events?.[0]?.workflowExecutionStartedEventAttributes?.workflowId;
  if (!workflowId) throw new Error(`${path} holds no history of a workflow: its first event does not start one.`);
  return { workflowId, history };
}

/** Keeps a history in a folder. @returns the path of its file */
export async function keepHistory(folder: string, name: string, history: History): Promise<string> {
  const path = join(folder, `${name.replaceAll(/[^\w.-]+/g, '-')}${ZIPPED}`);
  await mkdir(folder, { recursive: true });
  await writeFile(path, gzipSync(historyToJSON(history), { level: 9 }));
  return path;
}
