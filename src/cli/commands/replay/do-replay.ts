import type { Client } from '@temporalio/client';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { keepHistory, readHistories, replayHistories, type RunHistory } from '../../../temporal/histories.js';
import { workerSdk } from '../../../temporal/worker-sdk.js';
import { colours as pc } from '../../colours.js';
import { counted } from '../../counted.js';
import { EXIT } from '../../exit.js';
import { printJson } from '../../json.js';
import { Project } from '../../../project/project.js';
import { withSession } from '../../session.js';
import { UsageError } from '../../usage-error.js';
import type { ReplayOptions } from './options.js';

/** How many histories are fetched ahead. */
const AHEAD = 8;
const PAGE = 100;

/** Replays histories. Exit code 1 when one does not replay. */
export async function doReplay(paths: readonly string[], options: ReplayOptions): Promise<number> {
  const most = options.open === undefined ? 0 : Number(options.open);
  if (!Number.isInteger(most) || most < 0) throw new UsageError(`--open takes a whole number, not '${options.open}'.`);
  if (paths.length === 0 && most === 0) throw new UsageError('Name files or folders of histories, or use --open 200.');
  // The SDK's own words about a history that does not replay are in the result.
  const { DefaultLogger, Runtime } = workerSdk();
  Runtime.install({ logger: new DefaultLogger('ERROR', () => undefined) });
  const missing = paths.find((path) => !existsSync(path));
  if (missing !== undefined)
    throw new UsageError(`There is no file or folder '${missing}'. Name histories that exist.`);
  const codePath = options.bundle === undefined ? await (await Project.find()).builtBundle() : resolve(options.bundle);
  const replay = (histories: AsyncIterable<RunHistory>) => replayAll(codePath, histories, options);
  if (most === 0) return replay(readHistories(paths));
  return withSession(({ client, taskQueue }) =>
    replay(both(readHistories(paths), openHistories(client, taskQueue, most))),
  );
}

async function replayAll(
  codePath: string,
  histories: AsyncIterable<RunHistory>,
  { keep, json }: ReplayOptions,
): Promise<number> {
  const known = new Map<string, RunHistory['history']>();
  const failed: { readonly workflowId: string; readonly reason: string; readonly file?: string }[] = [];
  let replayed = 0;
  for await (const { workflowId, runId, error } of replayHistories({ codePath }, noted(histories, known))) {
    const history = known.get(runId);
    known.delete(runId);
    replayed++;
    if (!error) continue;
    const file = keep !== undefined && history ? await keepHistory(keep, `${workflowId}.${runId}`, history) : undefined;
    failed.push({ workflowId, reason: error.message, ...(file !== undefined && { file }) });
  }
  if (json) printJson({ replayed, failed });
  else {
    for (const { workflowId, reason, file } of failed) {
      console.log(
        `${pc.red(`${workflowId} does not replay:`)} ${reason}${file === undefined ? '' : `\n  kept in ${file}`}`,
      );
    }
    const end = failed.length === 0 ? pc.green('all of them replay') : pc.red(`${failed.length} do not replay`);
    console.log(`${replayed} ${replayed === 1 ? 'history' : 'histories'}: ${end}`);
    if (failed.length > 0) {
      console.log(
        `This code cannot continue ${counted(failed.length, 'run')} of these. Revert the code, or roll it out as a separate build: reeve rollout.`,
      );
    }
  }
  return failed.length === 0 ? EXIT.done : EXIT.failed;
}

/** The newest open histories of the project. */
async function* openHistories(client: Client, taskQueue: string, most: number): AsyncGenerator<RunHistory> {
  const query = `ExecutionStatus = 'Running' AND TaskQueue = '${taskQueue}'`;
  let count = 0;
  for await (const each of client.workflow.list({ query, pageSize: PAGE }).intoHistories({ concurrency: AHEAD })) {
    yield each as RunHistory;
    if (++count >= most) return;
  }
}

async function* both(...all: readonly AsyncIterable<RunHistory>[]): AsyncGenerator<RunHistory> {
  for (const each of all) yield* each;
}

async function* noted(
  histories: AsyncIterable<RunHistory>,
  known: Map<string, RunHistory['history']>,
): AsyncGenerator<RunHistory> {
  for await (const each of histories) {
    const run = each.history.events?.[0]?.workflowExecutionStartedEventAttributes?.originalExecutionRunId;
    if (run) known.set(run, each.history);
    yield each;
  }
}
