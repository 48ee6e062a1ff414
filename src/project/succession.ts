/*
 * How changed code takes over on the development stack, where nobody rolls anything out. Each workflow code is a build of its own. A
 * run that an older build has begun goes on with its code, which was kept, until the entity rests: then it continues as new on the
 * present build. Q2
 */
import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../definition/thrown.js';
import { BuildRouting, Fleet, idsOf, Waker } from '../rollout/index.js';
import type { KeptProcess } from '../stack/kept-process.js';
import type { ServiceLocation } from '../stack/service.js';
import { connect } from '../temporal/connection.js';
import { temporalClient } from '../temporal/temporal-client.js';
import { deploymentFrom } from '../temporal/worker-version.js';
import { BUNDLE_VARIABLE, KeptBuilds } from './kept-builds.js';

export interface SuccessionOptions {
  readonly location: ServiceLocation;
  readonly taskQueue: string;
  /** The data directory, absolute. */
  readonly home: string;
  /** The absolute path of the present workflow code. */
  readonly bundle: string;
  /** Starts a worker, and starts it again when it ends by itself. */
  keepWorker(name: string, env: NodeJS.ProcessEnv): Promise<KeptProcess>;
  report(line: string): void;
}

export interface Succession {
  /** Lets all new runs begin on the present build. Older ones are looked after from then on. @throws where its worker does not come */
  begin(): Promise<void>;
  /** Ends the look after older builds. The workers are ended by those who have started them. */
  stop(): Promise<void>;
}

const LOOK_EVERY_MS = 1_000;
const SERVED_WITHIN_MS = 60_000;
const ASK_EVERY_MS = 100;
const WAKES_PER_SECOND = 50;
/** One that could not go over when it was woken is woken again after this time. */
const AGAIN_AFTER_MS = 30_000;
/** The addresses of measures belong to the worker of the present build. */
const WITHOUT_MEASURES = { REEVE_METRICS_PORT: undefined, REEVE_TEMPORAL_METRICS: undefined };

/** Starts a worker of the present build, lets new runs begin on it, and looks after what runs on older ones. */
export async function startSuccession(options: SuccessionOptions): Promise<Succession> {
  const { location, taskQueue, home, bundle, keepWorker, report } = options;
  const kept = new KeptBuilds(home);
  const present = await kept.keep(bundle);
  await keepWorker('worker', { REEVE_BUILD: present, [BUNDLE_VARIABLE]: kept.find(present) });
  const connection = await connect(location.connectionOptions);
  const client = temporalClient({ ...location, connection });
  const routing = new BuildRouting(client, deploymentFrom(process.env, taskQueue));
  const fleet = new Fleet(client, routing.deployment, taskQueue);
  const waker = new Waker(client, WAKES_PER_SECOND);
  const ended = new AbortController();
  const workers = new Map<string, KeptProcess>();
  const told = new Set<string>();

  const tellOnce = (line: string) => {
    if (!told.has(line)) report(line);
    told.add(line);
  };

  /** Starts a worker of an older build on which something runs, and ends that of a drained one. */
  const serve = async (build: string, running: number) => {
    const worker = workers.get(build);
    if (running === 0) {
      workers.delete(build);
      return worker?.stop();
    }
    if (worker) return;
    const code = kept.find(build);
    if (code === undefined) {
      return tellOnce(
        `${running} wait for the build ${build}, whose code is not kept in ${home}: start a worker of it with ` +
          `REEVE_BUILD=${build}, or end them`,
      );
    }
    tellOnce(`the code has changed: ${running} of the build ${build} go over, each as soon as it rests`);
    workers.set(
      build,
      await keepWorker(`worker-${build}`, { REEVE_BUILD: build, [BUNDLE_VARIABLE]: code, ...WITHOUT_MEASURES }),
    );
  };

  /** Wakes what runs on an older build, but for types that the present one cannot take from it. */
  const wake = async (build: string, behind: readonly string[]) => {
    const { builds = [] } = (await routing.read()) ?? {};
    const schemasOf = (name: string) => builds.find((each) => each.build === name)?.schemas ?? {};
    const read = schemasOf(present);
    const unread = Object.entries(schemasOf(build)).filter(([type, { backTo }]) => (read[type]?.schema ?? 0) < backTo);
    const stays = unread.flatMap(([type]) => {
      const ids = behind.filter((id) => id.startsWith(`${type}/`));
      if (ids.length > 0) tellOnce(`${type} stays on the build ${build}: the present code cannot read it`);
      return ids;
    });
    const mayGo = behind.filter((id) => !stays.includes(id));
    await waker.wake(mayGo, AGAIN_AFTER_MS, ended.signal);
  };

  /** @returns the older builds */
  const makeCurrent = async () => {
    for (const until = Date.now() + SERVED_WITHIN_MS; ;) {
      const known = await routing.read();
      // The worker notes its schemas when Temporal knows its build.
      if (known?.builds.some(({ build, schemas }) => build === present && schemas)) {
        if (known.current !== present) await routing.makeCurrent(present);
        return known.builds.map(({ build }) => build).filter((build) => build !== present);
      }
      if (Date.now() > until) throw new Error(`The worker did not start. Its log is in ${home}.`);
      await delay(ASK_EVERY_MS, undefined, { signal: ended.signal });
    }
  };

  /** Serves and wakes what runs on older builds. @returns how many these are */
  const lookOnce = async (older: readonly string[]) => {
    let left = 0;
    for (const build of older) {
      const ids = await idsOf(fleet.on(build));
      await serve(build, ids.length);
      if (ids.length > 0) await wake(build, ids);
      left += ids.length;
    }
    return left;
  };

  /** Looks until nothing runs on older builds. */
  const look = async (older: readonly string[]) => {
    // Temporal's list is a moment late, so one empty look tells nothing.
    for (let empty = 0; empty < 2;) {
      const left = await lookOnce(older).catch((thrown: unknown) => {
        if (!ended.signal.aborted)
          tellOnce(`the check of workflows on older code failed, and is repeated: ${messageOf(thrown)}`);
        return undefined;
      });
      empty = left === 0 ? empty + 1 : 0;
      await delay(LOOK_EVERY_MS, undefined, { signal: ended.signal });
    }
    for (const build of older) await kept.forget(build);
    if (told.size > 0) report('everything runs on the present code');
  };

  let looked: Promise<void> | undefined;
  return {
    async begin() {
      const older = await makeCurrent();
      looked = look(older).catch((thrown: unknown) => {
        if (!ended.signal.aborted) report(`workflows on older code get no workers: ${messageOf(thrown)}`);
      });
    },
    async stop() {
      ended.abort();
      await looked;
      await connection.close();
    },
  };
}
