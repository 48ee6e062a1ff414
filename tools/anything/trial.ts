import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { AnyEntity } from '../../src/definition/index.js';
import { ReeveClient } from '../../src/client/client.js';
import type { CallbackAnswer } from '../../src/protocol/callback.js';
import { KEEPER_TYPE } from '../../src/protocol/names.js';
import { startStack } from '../../src/stack/stack.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { bundleWorkflows, type WorkflowSources } from '../../src/temporal/bundle.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { connect } from '../../src/temporal/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { declare } from '../simulation/anything/declare.js';
import { Canary } from '../simulation/anything/canary-entity.js';
import type { Request, WorldPlan } from '../simulation/anything/plan.js';
import { valueOf } from '../simulation/anything/value.js';
import { percentile } from './percentile.js';

/** The settings that the worker gets. */
export interface Settings {
  readonly address: string;
  readonly bundle: string;
  /** The file of the worlds. */
  readonly plans: string;
  readonly callbackKeys: string;
}

/** All that has come of it. Times are milliseconds of the healthy fleet. */
export interface Told {
  readonly before: { readonly count: number; readonly p50: number; readonly p99: number };
  readonly beside: { readonly count: number; readonly p50: number; readonly p99: number };
  readonly raised: number;
  readonly refused: number;
  /** The workflows of which a task has failed. */
  /** Why the last failed task of a workflow failed. */
  readonly failing: ReadonlyMap<string, string>;
  readonly workerExits: number;
  readonly problems: readonly string[];
}

const HEALTHY = 20;
const RUNNING = `ExecutionStatus = 'Running'`;
/** How long a healthy entity rests after each of its events, in milliseconds. */
const PAUSE_MS = 1_000;

/**
 * Lets all worlds live on one worker, beside a healthy fleet that has been there for a while alone.
 * @param atOnce how many worlds live at the same time. All at once, what they do by right fills two cores.
 * @param seconds for how long so many worlds live, and the fleet alone
 */
export async function trial(
  home: string,
  worlds: readonly WorldPlan[],
  { atOnce, seconds }: { readonly atOnce: number; readonly seconds: number },
  report: (line: string) => void,
): Promise<Told> {
  const undo: (() => Promise<void>)[] = [];
  const problems: string[] = [];
  let workerExits = 0;
  try {
    const stack = await startStack({ home, report });
    undo.push(() => stack.stop());
    const { address } = stack.temporal;
    const [bundle, plans] = [join(home, 'bundle.cjs'), join(home, 'plans.json')];
    await writeFile(plans, JSON.stringify(worlds));
    await writeFile(bundle, (await bundleWorkflows(await writeWorkflows(worlds, undo))).code);
    const connection = await connect({ address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, 'default');
    const client = temporalClient({ connection, namespace: 'default' });
    const types = worlds.map((plan) => plan.types.map(({ name, declared }) => declare(name, declared)));
    const reeve = new ReeveClient({ client, entities: [Canary, ...types.flat()] });
    const settings: Settings = { address, bundle, plans, callbackKeys: randomBytes(32).toString('base64') };
    const keys = new CallbackKeys(settings.callbackKeys);

    let isOver = false;
    const startWorker = async () => {
      const script = fileURLToPath(new URL('./worker.js', import.meta.url));
      const worker = fork(script, [JSON.stringify(settings)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
      worker.on('message', (said: { readonly token?: string; readonly output?: unknown }) => {
        const question = said.token === undefined ? undefined : keys.questionOf(said.token);
        // Most answers to what was drawn are refused, or come too late.
        if (question) void reeve.answer(question, { output: said.output } as CallbackAnswer).catch(() => undefined);
      });
      worker.on('exit', () => {
        if (isOver) return;
        workerExits++;
        report('the worker has ended, and is started again');
        running = startWorker();
      });
      await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
      return worker;
    };
    let running = startWorker();
    undo.push(async () => {
      isOver = true;
      const worker = await running;
      if (worker.exitCode !== null) return;
      worker.kill('SIGTERM');
      await once(worker, 'exit');
    });
    await running;

    const healthy = Array.from({ length: HEALTHY }, (_, index) => `healthy-${index}`);
    for (const key of healthy) await reeve.operations.result(await reeve.create(Canary, key, 'create'));
    const measure = async () => {
      const times: number[] = [];
      const until = Date.now() + seconds * 1_000;
      const live = async (key: string) => {
        while (Date.now() < until) {
          const startedAt = performance.now();
          await reeve
            .raise(Canary, key, 'hit')
            .then((taken) => reeve.operations.result(taken))
            .catch((thrown: unknown) => problems.push(`a healthy entity was not served: ${String(thrown)}`));
          times.push(performance.now() - startedAt);
          await delay(PAUSE_MS);
        }
      };
      await Promise.all(healthy.map(live));
      return times;
    };
    const summed = (times: readonly number[]) => {
      return { count: times.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
    };
    report(`the healthy fleet lives alone for ${seconds} s`);
    const before = await measure();
    const counts = { raised: 0, refused: 0 };
    const drive = async (from: number) => {
      const all = worlds
        .slice(from, from + atOnce)
        .flatMap((plan, index) => plan.requests.map((request) => ({ plan, request, types: types[from + index]! })));
      const pauseMs = (seconds * 1_000 * 0.8) / all.length;
      for (const { plan, request, types: declared } of all) {
        void ask(reeve, request, plan, declared).then(
          () => counts.raised++,
          () => counts.refused++,
        );
        await delay(pauseMs);
      }
    };
    const beside: number[] = [];
    const failing = new Map<string, string>();
    for (let from = 0; from < worlds.length; from += atOnce) {
      report(`worlds ${from + 1} to ${Math.min(from + atOnce, worlds.length)} live beside it for ${seconds} s`);
      const [times] = await Promise.all([measure(), drive(from)]);
      beside.push(...times);
      const problem = 'TemporalReportedProblems IS NOT NULL';
      for await (const { workflowId, runId } of client.workflow.list({ query: `${RUNNING} AND ${problem}` }))
        failing.set(workflowId, await lastFailure(client, workflowId, runId));
      await terminate(client, `WorkflowType NOT IN ('${Canary.name}', '${KEEPER_TYPE}')`);
    }
    return { before: summed(before), beside: summed(beside), ...counts, failing, workerExits, problems };
  } finally {
    await stopAll(undo);
  }
}

async function lastFailure(client: Client, workflowId: string, runId: string): Promise<string> {
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const last = events?.findLast(
    (each) => each.workflowTaskFailedEventAttributes ?? each.workflowTaskTimedOutEventAttributes,
  );
  return (
    last?.workflowTaskFailedEventAttributes?.failure?.message ?? (last ? 'it timed out' : 'its history does not tell')
  );
}

async function terminate(client: Client, which: string): Promise<void> {
  for await (const { workflowId, runId } of client.workflow.list({ query: `${RUNNING} AND ${which}` }))
    // It may have ended meanwhile.
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('its trial is over')
      .catch((thrown: unknown) => {
        if (!(thrown instanceof WorkflowNotFoundError)) throw thrown;
      });
}

/**
 * The modules of the bundle: what was drawn is in them, as data. As in a project, declarations are in a module of their own, which is
 * loaded once. They lie beside the code, so that the bundler finds the packages that this needs.
 */
async function writeWorkflows(worlds: readonly WorldPlan[], undo: (() => Promise<void>)[]): Promise<WorkflowSources> {
  const write = async (name: string, code: string) => {
    const path = fileURLToPath(new URL(`./drawn-${process.pid}-${name}.js`, import.meta.url));
    await writeFile(path, code);
    undo.push(() => rm(path));
    return path;
  };
  const declarations = await write(
    'declarations',
    `import { declareWorld } from '../simulation/anything/declare.js';\n` +
      `export const worlds = ${JSON.stringify(worlds)};\nexport const declared = worlds.map(declareWorld);\n`,
  );
  const workflowsPath = await write(
    'workflows',
    `import { anythingWorkflows } from './workflows.js';\n` +
      `import { declared, worlds } from './${basename(declarations)}';\nexport default anythingWorkflows(worlds, declared);\n`,
  );
  return { workflowsPath, declarations: [declarations] };
}

async function ask(
  reeve: ReeveClient,
  request: Request,
  plan: WorldPlan,
  types: readonly AnyEntity[],
): Promise<unknown> {
  if (request.ask === 'pass' || request.ask === 'cancel' || request.ask === 'terminate') return undefined;
  const entity = types[request.type]!;
  const key = plan.types[request.type]!.keys[typeof request.key === 'number' ? request.key : 0]!;
  const given = {
    ...(request.params !== undefined && { params: valueOf(request.params) }),
    ...(request.construct !== undefined && { construct: valueOf(request.construct) as Record<string, unknown> }),
  };
  if (request.ask === 'create') return reeve.createAny(entity, key as string, request.event, given);
  if (request.ask === 'raise') return reeve.raiseAny(entity, key as string, request.event, given);
  return undefined;
}
