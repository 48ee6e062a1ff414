import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ReeveClient } from '../../src/client/client.js';
import type { CallbackAnswer } from '../../src/protocol/callback.js';
import { Rejected } from '../../src/protocol/errors.js';
import { Fleet, renewRuns, Waker } from '../../src/rollout/index.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { createKey, destroyKey, rotateKeys } from '../../src/secrecy/key-changes.js';
import { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';
import { startStack } from '../../src/stack/stack.js';
import { stopAll } from '../../src/stack/stop-all.js';
import { createDatabase } from '../../src/store/index.js';
import { bundleWorkflows } from '../../src/temporal/bundle.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { connect } from '../../src/temporal/connection.js';
import { registerSearchAttributes } from '../../src/temporal/search-attributes.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { Account, secretive } from './entities/definitions.js';
import { openSecretiveStore, payloadsOf, type Settings } from './settings.js';

/** The kinds of needles: where each was planted. */
export const KINDS = ['parameter', 'output', 'answer', 'signal', 'slip', 'error'] as const;
export type Kind = (typeof KINDS)[number];
export type Needles = Readonly<Record<Kind, string>>;

/** All that has happened in a trial. */
export interface Told {
  readonly events: number;
  readonly kills: number;
  readonly rotated: number;
  readonly destroyed: number;
  readonly tokens: readonly string[];
  readonly problems: readonly string[];
}

const ACCOUNTS = 12;
const WORKERS = 2;
const KILL_EVERY_MS = 4_000;
const ROTATE_EVERY_MS = 5_000;
/** How many runs are renewed in a second, as by `reeve payload-keys renew`. */
const WOKEN_PER_SECOND = 20;

/**
 * Events of all kinds for so many seconds, while workers are killed, and keys are rotated and destroyed. When it ends, the services have
 * stopped, and what they have written is in the folder.
 */
export async function trial(
  home: string,
  seconds: number,
  needles: Needles,
  encrypted: boolean,
  report: (line: string) => void,
): Promise<Told> {
  const undo: (() => Promise<void>)[] = [];
  const problems: string[] = [];
  const tokens: string[] = [];
  const workers: ChildProcess[] = [];
  const counts = { events: 0, kills: 0, rotated: 0, destroyed: 0 };
  try {
    const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url));
    const stack = await startStack({ home, report });
    undo.push(() => stack.stop());
    const bundle = join(home, 'bundle.js');
    const sources = {
      workflowsPath: path('./entities/workflows.js'),
      declarations: [path('./entities/definitions.js')],
    };
    await writeFile(bundle, (await bundleWorkflows(sources)).code);
    const file = encrypted ? new PayloadKeyFile(join(home, 'payload-keys.json')) : undefined;
    await file?.write(createKey({ keys: [] }, new Date()).content);
    const { databaseUrl, temporal } = stack;
    const settings: Settings = {
      ...{ address: temporal.address, bundle, databaseUrl, callbackKeys: randomBytes(32).toString('base64') },
      ...(file && { payloadKeys: file.path }),
    };
    await createDatabase(databaseUrl);
    const store = openSecretiveStore(settings);
    await store.migrate();
    await store.close();
    const connection = await connect({ address: temporal.address });
    undo.push(() => connection.close());
    await registerSearchAttributes(connection, 'default');
    const client = temporalClient({ connection, namespace: 'default', payloads: payloadsOf(settings) });
    const reeve = new ReeveClient({ client, entities: secretive });

    await mkdir(join(home, 'log'), { recursive: true });
    const log = createWriteStream(join(home, 'log', 'workers.log'));
    const answer = async (token: string) => {
      tokens.push(token);
      const question = new CallbackKeys(settings.callbackKeys).questionOf(token)!;
      await patiently(() => reeve.answer(question, { output: { answer: needles.answer } } as CallbackAnswer));
    };
    const startWorker = async () => {
      const worker = fork(path('./worker.js'), [JSON.stringify(settings)], {
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
      worker.stdout?.on('data', (text) => log.write(text));
      worker.stderr?.on('data', (text) => log.write(text));
      worker.on('message', (said: { readonly token?: string }) => {
        if (said.token !== undefined) answer(said.token).catch((thrown: unknown) => note('answer', thrown));
      });
      workers.push(worker);
      await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
    };
    const endWorker = async (signal: NodeJS.Signals) => {
      const worker = workers.shift();
      if (!worker || worker.exitCode !== null) return;
      worker.kill(signal);
      await once(worker, 'exit');
    };
    undo.push(async () => {
      while (workers.length > 0) await endWorker('SIGTERM');
      await new Promise<void>((resolve) => log.end(resolve));
    });
    await Promise.all(Array.from({ length: WORKERS }, startWorker));
    report(`up; events flow for ${seconds} s`);

    const until = Date.now() + seconds * 1_000;
    const ending = new AbortController();
    const fleet = new Fleet(client, DEFAULT_TASK_QUEUE, DEFAULT_TASK_QUEUE);
    let isOver = false;
    const note = (what: string, thrown: unknown) => {
      // Anything that fails on purpose is a rejection or a failed action, and no error here.
      if (!(thrown instanceof Rejected)) problems.push(`${what}: ${String(thrown)}`);
    };
    const live = async (number: number) => {
      for (let life = 0; Date.now() < until; life++) {
        const key = `account-${number}-${life}`;
        const raise = async (event: string, params?: object) => {
          counts.events++;
          const options = params ? { params } : {};
          await patiently(async () =>
            reeve.operations.result(await reeve.raiseAny(Account, key, event, options)),
          ).catch((thrown: unknown) => note(event, thrown));
        };
        await patiently(() => reeve.create(Account, key, 'open', { iban: needles.parameter })).catch(
          (thrown: unknown) => note('open', thrown),
        );
        for (let turn = 0; turn < 4 && Date.now() < until; turn++) {
          await raise('check', { iban: needles.parameter });
          await raise('ask');
          await raise('fail', { reason: needles.error });
          await raise('print', { slip: `slip-${number}-${life}-${turn}`, text: needles.slip });
          counts.events++;
          await patiently(() =>
            client.workflow.getHandle(`Account/${key}`).signal('note', { note: needles.signal }),
          ).catch((thrown: unknown) => note('signal', thrown));
          // It goes on in a new run meanwhile.
          await delay(2_500);
        }
        await raise('close');
      }
    };
    const killing = (async () => {
      while (!isOver) {
        await delay(KILL_EVERY_MS);
        if (isOver) return;
        await endWorker('SIGKILL');
        counts.kills++;
        await startWorker();
      }
    })();
    const rotating = (async () => {
      while (file && !isOver) {
        await delay(ROTATE_EVERY_MS);
        if (isOver) return;
        const before = (await file.current()).id;
        await file.write(rotateKeys(await file.read(), undefined, new Date()).content);
        counts.rotated++;
        // Each process has heard of the new key by then.
        await delay(3_000);
        const rotatedAt = new Date();
        const renewal = { fleet, waker: new Waker(client, WOKEN_PER_SECOND), waits: true, report: () => undefined };
        if ((await renewRuns(rotatedAt.getTime(), { ...renewal, stop: ending.signal })) > 0) return;
        await file.write(destroyKey(await file.read(), before, new Date()).content);
        counts.destroyed++;
      }
    })();
    await Promise.all(Array.from({ length: ACCOUNTS }, (_, number) => live(number)));
    isOver = true;
    ending.abort();
    await Promise.all([killing, rotating]);
    const failing = await client.workflow.count(`ExecutionStatus = 'Running' AND TemporalReportedProblems IS NOT NULL`);
    if (failing.count > 0) problems.push(`${failing.count} workflows cannot go on`);
  } finally {
    await stopAll(undo);
  }
  return { ...counts, tokens, problems };
}

/** Tries again while a worker that was killed is coming back. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  const until = Date.now() + 60_000;
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      const isAway = !(thrown instanceof Rejected) || thrown.code === 'no_answer';
      if (!isAway || Date.now() > until) throw thrown;
      await delay(250);
    }
  }
}
