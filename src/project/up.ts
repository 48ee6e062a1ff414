import { setTimeout as delay } from 'node:timers/promises';
import { authenticatorFrom } from '../service/authentication/environment.js';
import { serverOptionsFrom } from '../service/environment.js';
import { callbackVariables } from '../stack/callbacks.js';
import { announceService } from '../stack/data-directory.js';
import { KeptProcess } from '../stack/kept-process.js';
import { choosePort, isAnswered } from '../stack/ports.js';
import { findPayloadSettings } from '../stack/payload-keys.js';
import { findService, type ServiceLocation } from '../stack/service.js';
import { startStack } from '../stack/stack.js';
import { connect } from '../temporal/connection.js';
import { registerSearchAttributes } from '../temporal/search-attributes.js';
import { requireWorkerSdk } from '../temporal/worker-sdk.js';
import { buildFrom } from '../temporal/worker-version.js';
import { builtFile } from './built-file.js';
import type { Ending } from './hooks.js';
import { compareParts } from './parts.js';
import { prepareStore } from './prepare-store.js';
import type { Project } from './project.js';
import { together } from './project-error.js';
import { startSuccession } from './succession.js';
import { notePort, wantedPort } from './wanted-port.js';

const STARTS_WITHIN_MS = 60_000;
/** The command line, which each process of a project is a command of. */
const COMMAND = builtFile('src/cli/main.js');

export interface UpOptions {
  readonly project: Project;
  /** The data directory, absolute. */
  readonly home: string;
  /** Is called with what a person may want to know. */
  report(line: string): void;
  /** The absolute path of a script that takes the place of `reeve worker`. */
  readonly workerScript?: string;
}

/** A project that runs: the stack, what the project brings to it, a worker, an executor where there are jobs, and a service. */
export interface RunningProject {
  readonly location: ServiceLocation;
  /** The processes by name: `worker`, `service`, `executor` and those that the project's own code has started. */
  readonly processes: ReadonlyMap<string, KeptProcess>;
  /** The address of the management service. */
  readonly serviceUrl: string;
  stop(): Promise<void>;
}

/**
 * Starts everything that the project of the current folder needs on one machine. If a part fails to start, the others are stopped again.
 * @throws ProjectError with all mistakes in the project, and MissingPackage, before anything starts
 */
export async function startProject({ project, home, report, workerScript }: UpOptions): Promise<RunningProject> {
  // A worker without it would end and be started again, and only its log would have the reason.
  requireWorkerSdk();
  const [startMore, bundle] = await together([
    ...([project.startMore(), project.builtBundle(), project.declared()] as const),
    ...([project.openWorker(), project.resources(), compareParts(project)] as const),
    ...(project.settings.executor === undefined ? [] : [project.openExecutor()]),
  ]);
  // The service asks it too, but nobody waits for what starts in vain.
  const authenticator = await authenticatorFrom(process.env);
  const wanted = await wantedPort(process.env, home);
  const { keys } = findPayloadSettings({ ...process.env, REEVE_DATA_DIR: home });
  // Temporal's UI has to know where the service will decrypt payloads. Otherwise the port is chosen when it is needed.
  const early = keys && (await choosePort(wanted));
  const stack = await startStack({ home, report, ...(early && { codecEndpoint: `${urlOf(early)}/codec` }) });
  const undo: (() => Promise<void>)[] = [() => stack.stop()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const location = await findService({ ...process.env, REEVE_DATA_DIR: home });
    const connection = await connect(location.connectionOptions);
    try {
      await registerSearchAttributes(connection, location.namespace);
    } finally {
      await connection.close();
    }
    await prepareStore(project, stack.databaseUrl);
    const processes = new Map<string, KeptProcess>();
    const keepNode = async (
      name: string,
      args: readonly string[],
      env: NodeJS.ProcessEnv = {},
      { withinMs, after }: Ending = {},
    ) => {
      if (after) undo.push(after);
      const kept = await KeptProcess.start({
        name,
        home,
        command: process.execPath,
        args: ['--enable-source-maps', ...args],
        env: { REEVE_DATA_DIR: home, ...env },
        ...(withinMs !== undefined && { endsWithinMs: withinMs }),
        onExit: (code) => report(`${name} ended (${code ?? 'killed'}), and is restarted`),
      });
      undo.push(() => kept.stop());
      processes.set(name, kept);
      return kept;
    };
    await startMore?.({
      dataDirectory: home,
      report,
      keep: (name, script, env, ending) => keepNode(name, [script], env, ending),
    });
    const port = early ?? (await choosePort(wanted));
    if (port !== wanted) report(`port ${wanted} is in use, so the management service listens on ${port}`);
    await notePort(home, port);
    const callbacks = await callbackVariables(home, `${urlOf(port)}/api`, process.env);
    const keepWorker = (name: string, env: NodeJS.ProcessEnv) =>
      keepNode(name, workerScript === undefined ? [COMMAND, 'worker'] : [workerScript], { ...callbacks, ...env });
    // Those who run a service of their own roll builds out themselves.
    const succeeds = stack.temporal.embedded && buildFrom(process.env) === undefined;
    const succession = succeeds
      ? await startSuccession({ location, taskQueue: project.taskQueue(), home, bundle, keepWorker, report })
      : undefined;
    if (succession) undo.push(() => succession.stop());
    else await keepWorker('worker', {});
    if (project.settings.executor !== undefined) await keepNode('executor', [COMMAND, 'executor']);
    const service = await keepNode('service', [COMMAND, 'service'], {
      REEVE_API_PORT: String(port),
      // Temporal's UI shows in the clear what whoever looks at it may read.
      REEVE_CODEC_ORIGINS: process.env['REEVE_CODEC_ORIGINS'] ?? location.uiUrl ?? '',
      ...callbacks,
    });
    const [serviceUrl] = await Promise.all([untilServiceAnswers(port, service), succession?.begin()]);
    // Commands read from a service that takes everyone on this machine for its operator.
    if (!authenticator && serviceUrl.startsWith('http:')) await announceService(home, serviceUrl);
    return { location, processes, serviceUrl, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

/** Waits until the management service listens. @returns its address */
export async function untilServiceAnswers(port: number, service: KeptProcess): Promise<string> {
  const until = Date.now() + STARTS_WITHIN_MS;
  while (!(await isAnswered(port))) {
    if (Date.now() > until) throw new Error(`The management service did not start. Its log is ${service.logFile}.`);
    await delay(50);
  }
  return urlOf(port);
}

function urlOf(port: number): string {
  const { host = '127.0.0.1', tls } = serverOptionsFrom(process.env);
  return `${tls ? 'https' : 'http'}://${host}:${port}`;
}
