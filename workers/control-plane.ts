import { fileURLToPath } from 'node:url';
import { readHostFile } from '../activities/host/host-file.js';
import { connect } from '../src/temporal/connection.js';
import { portFrom, serverOptionsFrom } from '../src/service/environment.js';
import { callbackVariables } from '../src/stack/callbacks.js';
import { KeptProcess } from '../src/stack/kept-process.js';
import { choosePort, isAnswered } from '../src/stack/ports.js';
import { isAlive } from '../src/stack/processes.js';
import { findService, type ServiceLocation } from '../src/stack/service.js';
import { startStack } from '../src/stack/stack.js';
import { registerSearchAttributes } from '../src/temporal/search-attributes.js';
import { setTimeout as delay } from 'node:timers/promises';
import { prepareStore } from './prepare-store.js';

const STARTS_WITHIN_MS = 60_000;
const SERVICE_PORT = 8_234;

/** A control plane that runs: the stack, the resource host, a worker and the management service. */
export interface ControlPlane {
  readonly location: ServiceLocation;
  readonly worker: KeptProcess;
  readonly host: KeptProcess;
  /** The address of the management service. */
  readonly serviceUrl: string;
  stop(): Promise<void>;
}

/** Starts everything that a development control plane consists of. If a part fails to start, the others are stopped again. */
export async function startControlPlane(
  home: string,
  report: (line: string) => void,
  workerScript = './worker.js',
): Promise<ControlPlane> {
  const stack = await startStack({ home, report });
  const undo: (() => Promise<void>)[] = [() => stack.stop()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step();
  };
  try {
    const location = await findService({ ...process.env, REEVE_HOME: home });
    const connection = await connect(location.connectionOptions);
    try {
      await registerSearchAttributes(connection, location.namespace);
    } finally {
      await connection.close();
    }
    await prepareStore(stack.databaseUrl);
    const keep = (name: string, script: string, env: NodeJS.ProcessEnv = {}) =>
      KeptProcess.start({
        name,
        home,
        command: process.execPath,
        args: ['--enable-source-maps', fileURLToPath(new URL(script, import.meta.url))],
        env: { REEVE_HOME: home, ...env },
        onExit: (code) => report(`${name} ended (${code ?? 'killed'}) and is started again`),
      });
    const host = await keep('resource-host', '../activities/host/main.js');
    undo.push(() => host.stop());
    await untilHostAnswers(home, host);
    const wanted = portFrom(process.env) ?? SERVICE_PORT;
    const port = await choosePort(wanted);
    if (port !== wanted) report(`port ${wanted} is taken, so the management service listens on ${port}`);
    const callbacks = await callbackVariables(home, `${urlOf(port)}/api`, process.env);
    const worker = await keep('worker', workerScript, callbacks);
    undo.push(() => worker.stop());
    const executor = await keep('executor', './executor.js');
    undo.push(() => executor.stop());
    const service = await keep('service', './service.js', { REEVE_API_PORT: String(port), ...callbacks });
    undo.push(() => service.stop());
    const serviceUrl = await untilServiceAnswers(port, service);
    return { location, worker, host, serviceUrl, stop };
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}

async function untilHostAnswers(home: string, host: KeptProcess): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const described = await readHostFile(home);
    if (described && described.pid === (await host.pid()) && isAlive(described.pid)) return;
    if (Date.now() > until) throw new Error(`The resource host did not start. Its log is ${host.logFile}.`);
    await delay(50);
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
