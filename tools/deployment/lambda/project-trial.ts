import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { listen } from '../../../src/client/listen.js';
import { ReeveClient } from '../../../src/client/client.js';
import { Project } from '../../../src/project/index.js';
import type { OperationResult } from '../../../src/operations/status.js';
import type { AnyEntity } from '../../../src/definition/entity.js';
import { Random } from '../../../src/simulation/index.js';
import { KeptProcess } from '../../../src/stack/kept-process.js';
import { choosePort } from '../../../src/stack/ports.js';
import { startStack } from '../../../src/stack/stack.js';
import { stopAll } from '../../../src/stack/stop-all.js';
import { createDatabase } from '../../../src/store/index.js';
import { connect } from '../../../src/temporal/connection.js';
import { temporalClient } from '../../../src/temporal/temporal-client.js';
import { UNENCRYPTED } from '../../../src/secrecy/payload-settings.js';
import { patiently } from '../../replay/patience.js';
import { FeedLags } from './feed-lags.js';
import { Invocations } from './invocations.js';
import { commandOf, makeProject, reeveOf } from './made-project.js';
import { invocationProblems, startPlatform } from './platform.js';
import { deployFunction } from './worker-deployment.js';

/** The time-out of the function, in milliseconds: the calls of a new project may take 60 s, and 17 s are kept free. */
const FUNCTION_TIMEOUT_MS = 80_000;
const AT_ONCE = 2;
const EVENT_AGE_MS = 60_000;
const NAME = 'garden';
const BUILD = 'made';
const ROUNDS = 8;
/** In these rounds, something is lost only when no invocation runs any more. */
const FROM_ZERO = [1, 5];
/** In this round, the code of an action does not end, while others work. */
const ENDLESS = 3;
const SITES = 6;
/** A loss has to be found within so much time, in milliseconds. S4.4 */
const LOST_WITHIN_MS = 30_000;
const GIVE_UP_MS = 120_000;
const ZERO_WITHIN_MS = 300_000;

/** A project that `reeve init --with lambda` has made, in invocations alone, of which each fifth is cut off. Gives what is wrong. Q3, S4.4, A6 */
export async function tryLambdaProject(home: string, report: (line: string) => void): Promise<readonly string[]> {
  const undo: (() => Promise<void>)[] = [];
  try {
    const { folder, handler } = await makeProject(join(home, NAME), report);
    const { api, temporal, run } = await startPlatform(home, undo);
    const { address } = temporal;
    const env = { ...process.env, REEVE_DATA_DIR: home, TEMPORAL_ADDRESS: address };
    const stack = await startStack({ home, env, report });
    undo.push(() => stack.stop());
    await createDatabase(stack.databaseUrl);
    const sites = join(home, 'sites');
    const port = await choosePort();
    const own = { ...env, DATABASE_URL: stack.databaseUrl, SITES_FOLDER: sites, REEVE_API_PORT: String(port) };
    await reeveOf(folder, own, 'prepare');
    const random = new Random(1);
    const invocations = new Invocations({
      ...{ handler, timeoutMs: FUNCTION_TIMEOUT_MS, atOnce: AT_ONCE, eventAgeMs: EVENT_AGE_MS },
      env: { ...own, REEVE_DATA_DIR: undefined, REEVE_BUILD: BUILD, TEMPORAL_DEPLOYMENT_NAME: NAME },
      logFile: join(home, 'log', 'lambda.log'),
      cutOff: (number) => (number % 5 === 0 ? 1_500 + random.below(15_000) : undefined),
    });
    run(invocations);
    undo.push(() => invocations.stop());
    const connection = await connect({ address });
    undo.push(() => connection.close());
    const client = temporalClient({ connection, namespace: 'default', payloads: UNENCRYPTED });
    const { entities } = await (await Project.find(folder)).declared();
    const reeve = new ReeveClient({ client, entities, taskQueue: NAME });
    await deployFunction(temporal, NAME, BUILD);
    const service = await KeptProcess.start({
      ...{ name: 'service', home, env: own, command: 'sh' },
      args: ['-c', `cd '${folder}' && exec '${process.execPath}' '${commandOf(folder)}' service`],
    });
    undo.push(() => service.stop());
    const url = `http://127.0.0.1:${port}`;
    await untilWell(() => ask(`${url}/health/ready`), GIVE_UP_MS);

    const lags = new FeedLags();
    const ended = new AbortController();
    const listening = listen({ service: url, signal: ended.signal }, (change) => lags.hear(change));
    undo.push(async () => {
      ended.abort();
      await listening;
    });

    const trial = new Trial({ reeve, entities, sites, url, invocations });
    for (let round = 1; round <= ROUNDS; round++) {
      await trial.work(round);
      if (round === ENDLESS) await Promise.all([trial.drift(round), trial.work(ROUNDS + 1)]);
      if (FROM_ZERO.includes(round)) await trial.untilZero();
      const running = invocations.running;
      const ms = await trial.lose(round, (id) =>
        client.workflow
          .getHandle(id)
          .terminate('a trial')
          .then(() => undefined),
      );
      report(
        `round ${round}: a loss was found after ${(ms / 1_000).toFixed(1)} s, with ${running} invocations running at its time; ` +
          JSON.stringify(invocations.counts),
      );
      if (ms > LOST_WITHIN_MS) trial.problems.push(`round ${round}: the loss was found after ${ms} ms only`);
      await trial.change(round);
    }
    const problems = [...trial.problems, ...invocationProblems(invocations, api)];
    await untilWell(async () => {
      const missing = lags.missing();
      if (missing.length > 0) throw new Error(`the feed lacks ${missing.join(', ')}`);
    }, GIVE_UP_MS).catch((thrown: unknown) => problems.push(String(thrown)));
    report(lags.describe());
    problems.push(...lags.problems());
    return problems;
  } finally {
    await stopAll(undo);
  }
}

interface Parts {
  readonly reeve: ReeveClient;
  readonly entities: readonly AnyEntity[];
  /** The folder in which the pages are. */
  readonly sites: string;
  readonly url: string;
  readonly invocations: Invocations;
}

class Trial {
  readonly problems: string[] = [];
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Publishes sites, and launches a fleet. */
  async work(round: number): Promise<void> {
    await Promise.all([
      ...keysOf(round).map(async (key) => {
        await this.#do('Site', key, 'create', { construct: { text: `first ${key}` } });
        await this.#expect(key, `first ${key}`);
      }),
      this.#do('Fleet', `fleet-${round}`, 'launch', { params: { ships: 3 } }),
    ]);
  }

  /** Runs an action that does not end: it fails, and costs no other entity anything. S1.5a */
  async drift(round: number): Promise<void> {
    const { outcome, errors } = await this.#outcome('Ship', `fleet-${round}-1`, 'drift', {});
    if (outcome !== 'failed' || errors[0]?.code !== 'endless_code')
      this.problems.push(`an action that does not end was ${outcome}: ${JSON.stringify(errors)}`);
  }

  /** Ends a ship by hand. Gives how long it took until the fleet's row says so, in milliseconds. */
  async lose(round: number, end: (id: string) => Promise<void>): Promise<number> {
    const key = `fleet-${round}`;
    const since = Date.now();
    await end(`Ship/${key}-2`);
    await untilWell(async () => {
      const rows = (await ask(`${this.#parts.url}/api/garden/v1/Fleet?$filter=key eq '${key}'`)) as {
        readonly value: readonly { readonly state: string }[];
      };
      if (rows.value[0]?.state !== 'Degraded') throw new Error(`${key} is ${JSON.stringify(rows)}`);
    }, GIVE_UP_MS);
    return Date.now() - since;
  }

  /** Rewrites one half of the sites of a round, and removes the other half. */
  async change(round: number): Promise<void> {
    await Promise.all(
      keysOf(round).map(async (key, index) => {
        if (index % 2 === 0) {
          await this.#do('Site', key, 'rewrite', { params: { text: `second ${key}` } });
          return this.#expect(key, `second ${key}`);
        }
        await this.#do('Site', key, 'remove', {});
        return this.#expect(key, undefined);
      }),
    );
  }

  /** Waits until no invocation runs. */
  async untilZero(): Promise<void> {
    const { invocations } = this.#parts;
    await untilWell(async () => {
      if (invocations.running > 0) throw new Error(`${invocations.running} invocations run, though all is at rest`);
    }, ZERO_WITHIN_MS);
  }

  async #do(type: string, key: string, event: string, given: object): Promise<void> {
    const { outcome, errors } = await this.#outcome(type, key, event, given);
    if (outcome !== 'success') this.problems.push(`${event} of ${key} ended as ${outcome}: ${JSON.stringify(errors)}`);
  }

  async #outcome(type: string, key: string, event: string, given: object): Promise<OperationResult> {
    const { reeve, entities } = this.#parts;
    const entity = entities.find(({ name }) => name === type)!;
    const request = { ...given, requestId: `${event}-${type}-${key}` };
    const isBirth = event === 'create' || event === 'launch';
    const taken = await patiently(`${event} of ${key}`, () =>
      isBirth ? reeve.createAny(entity, key, event, request) : reeve.raiseAny(entity, key, event, request),
    );
    return patiently(key, () => reeve.operations.result(taken));
  }

  async #expect(key: string, text: string | undefined): Promise<void> {
    const found = await readFile(join(this.#parts.sites, `${key}.html`), 'utf8').catch(() => undefined);
    if (found !== text)
      this.problems.push(`the page of ${key} is ${JSON.stringify(found)} and not ${JSON.stringify(text)}`);
  }
}

function keysOf(round: number): readonly string[] {
  return Array.from({ length: SITES }, (_, index) => `site-${round}-${index}`);
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** Tries again until it goes well. @throws the last failure, after the time */
async function untilWell(work: () => Promise<unknown>, withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      await work();
      return;
    } catch (thrown) {
      if (Date.now() > until) throw thrown;
      await delay(250);
    }
  }
}
