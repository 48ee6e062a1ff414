import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { KeptProcess } from './kept-process.js';
import type { Release } from './lock.js';
import { choosePort, isAnswered } from './ports.js';
import { askTemporal } from './temporal-health.js';
import { reserveTemporalPorts, type TemporalPorts } from './temporal-ports.js';
import { hiddenHost, openUiDoor, type Listening } from './ui-door.js';
import { messageOf } from '../definition/thrown.js';

const HOST = '127.0.0.1';
const NAMESPACE = 'default';
const STARTS_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** How often a start is tried when another program takes its ports. */
const MOST_ATTEMPTS = 3;
/** The words of the service's log for a port that is taken. */
const PORT_TAKEN = 'address already in use';

/** How the file of the development service is written. Without this, commits fail now and then. */
export const STORAGE = ['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]);

/**
 * Fits the service to one process. Its queues are read without a pause: by default, each step waits 50 ms once a caller goes on for a
 * second. The events of what runs stay in memory: by default, there is room for 512 kB of them, and a read of all others takes 7 % of
 * the CPU time of a busy service.
 */
export const TUNED = [
  ...['transfer', 'timer', 'visibility'].map((queue) => `history.${queue}ProcessorMaxPollRPS=100000`),
  'history.eventsCacheMaxSizeBytes=67108864',
].flatMap((setting) => ['--dynamic-config-value', setting]);

/**
 * Lets the service report a workflow whose task has failed twice in a row. By default it does so only after five times, which
 * takes a minute. One failure is not enough, since it may be that of a worker that has ended.
 */
export const REPORTING = [
  '--dynamic-config-value',
  'system.numConsecutiveWorkflowTaskProblemsToTriggerSearchAttribute=2',
];

/** The service also speaks HTTP, and answers no page that reaches it by another name. */
const OWN_NAMES = ['--dynamic-config-value', 'frontend.httpAllowedHosts=["127.0.0.1:*","localhost:*"]'];

export interface TemporalServerOptions {
  readonly home: string;
  readonly executable: string;
  readonly env: NodeJS.ProcessEnv;
  readonly report: (line: string) => void;
  /** Where the UI decrypts payloads; absent where they are not encrypted. Q5 */
  readonly codecEndpoint?: string;
}

export interface TemporalServer {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string;
  readonly process: KeptProcess;
  /** Ends the process and gives its ports back. */
  readonly stop: Release;
}

/**
 * Starts a development service with its data below the data directory, and waits until it answers. When it ends by itself later, it
 * is started again at the same address.
 * @throws when it does not start; the message has the end of its log
 */
export async function startTemporalServer(options: TemporalServerOptions): Promise<TemporalServer> {
  for (let attempt = 1; attempt < MOST_ATTEMPTS; attempt++) {
    try {
      return await start(options);
    } catch (thrown) {
      // Between the choice of a port and its use, another program may take it.
      if (!(thrown instanceof Error) || !thrown.message.includes(PORT_TAKEN)) throw thrown;
      options.report('another program has taken a port of Temporal meanwhile: Temporal is started on other ports');
    }
  }
  return start(options);
}

async function start(options: TemporalServerOptions): Promise<TemporalServer> {
  const { home, env, report } = options;
  const ports = await reserveTemporalPorts(home, env, report);
  const address = `${HOST}:${ports.port}`;
  const running = { up: false, ended: false };
  const ui = { host: hiddenHost(), port: await choosePort() };
  const closeDoor = await openUiDoor({ host: HOST, port: ports.uiPort }, ui).catch(async (thrown: unknown) => {
    await ports.release();
    // The words of the service's log, so that it is tried again.
    throw messageOf(thrown).includes('EADDRINUSE') ? new Error(PORT_TAKEN, { cause: thrown }) : thrown;
  });
  const process = await KeptProcess.start({
    name: 'temporal',
    home,
    command: options.executable,
    args: [...serverArguments(home, ports, ui), ...codecArguments(options.codecEndpoint)],
    env: { ...COLLECTING, ...env },
    onExit: (code) => {
      running.ended = true;
      if (running.up) report(`Temporal ended (${code ?? 'killed'}) and is started again`);
    },
  });
  const stop = async () => {
    await closeDoor();
    await process.stop();
    await ports.release();
  };
  const problem = await untilItAnswers(ports.port, () => running.ended);
  if (problem !== undefined) {
    await stop();
    const log = await readFile(process.logFile, 'utf8');
    throw new Error(
      `Temporal (${options.executable}) on ${address} ${problem}. ${process.logFile} ends with:\n${log.slice(-1_000)}`,
    );
  }
  running.up = true;
  return {
    address,
    namespace: NAMESPACE,
    uiUrl: `http://${HOST}:${ports.uiPort}`,
    process,
    stop,
  };
}

/** Collects garbage less often: the service spends less CPU time. Above the limit of memory it collects as often as it must. */
export const COLLECTING = { GOGC: '400', GOMEMLIMIT: '1GiB' };

function serverArguments(home: string, { port }: TemporalPorts, ui: Listening): string[] {
  return [
    ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--ui-ip', ui.host, '--ui-port', String(ui.port)],
    ...['--db-filename', join(home, 'temporal', 'temporal.db'), '--namespace', NAMESPACE, '--log-level', 'warn'],
    ...STORAGE,
    ...TUNED,
    ...REPORTING,
    ...OWN_NAMES,
  ];
}

/** Lets Temporal's UI decrypt payloads at an address; nothing where they are not encrypted. Q5 */
export function codecArguments(endpoint: string | undefined): readonly string[] {
  return endpoint === undefined ? [] : ['--ui-codec-endpoint', endpoint];
}

/** Waits until it answers. Gives what is wrong when it does not answer in time, or ends instead. */
async function untilItAnswers(port: number, hasEnded: () => boolean): Promise<string | undefined> {
  const until = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const reason = await whyNot(port);
    if (hasEnded()) return 'ended instead of starting';
    if (reason === undefined) return undefined;
    if (Date.now() > until) return `does not answer (${reason})`;
    await delay(LOOK_EVERY_MS);
  }
}

async function whyNot(port: number): Promise<string | undefined> {
  // A client that was refused once tries again only after a second, so this looks first whether anybody listens.
  if (!(await isAnswered(port))) return 'nobody listens';
  return askTemporal({ connectionOptions: { address: `${HOST}:${port}` }, namespace: NAMESPACE }).then(
    () => undefined,
    (thrown: unknown) => messageOf(thrown),
  );
}
