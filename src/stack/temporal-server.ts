import { Connection } from '@temporalio/client';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFileAtomically } from './files.js';
import { KeptProcess } from './kept-process.js';
import { choosePort } from './ports.js';

const HOST = '127.0.0.1';
const NAMESPACE = 'default';
const PREFERRED = { port: 7_233, uiPort: 8_233 };
const STARTS_WITHIN_MS = 60_000;

/** How the development service is tuned; without it, commits fail now and then and each step waits 50 ms. */
const TUNING = [
  ...['journal_mode=WAL', 'synchronous=NORMAL'].flatMap((pragma) => ['--sqlite-pragma', pragma]),
  ...['transfer', 'timer', 'visibility'].flatMap((queue) => [
    '--dynamic-config-value',
    `history.${queue}ProcessorMaxPollRPS=100000`,
  ]),
];

export interface TemporalServer {
  readonly address: string;
  readonly namespace: string;
  readonly uiUrl: string;
  readonly process: KeptProcess;
}

/** Starts a development service with its data below the data folder, and waits until it answers. */
export async function startTemporalServer(
  home: string,
  executable: string,
  report: (line: string) => void,
): Promise<TemporalServer> {
  const { port, uiPort } = await assignPorts(home, report);
  const process = await KeptProcess.start({
    name: 'temporal',
    home,
    command: executable,
    args: [
      ...['server', 'start-dev', '--ip', HOST, '--port', String(port), '--ui-ip', HOST, '--ui-port', String(uiPort)],
      ...['--db-filename', join(home, 'temporal', 'temporal.db'), '--namespace', NAMESPACE, '--log-level', 'warn'],
      ...TUNING,
    ],
  });
  const address = `${HOST}:${port}`;
  try {
    await untilItAnswers(address, process);
  } catch (thrown) {
    await process.stop();
    throw thrown;
  }
  return { address, namespace: NAMESPACE, uiUrl: `http://${HOST}:${uiPort}`, process };
}

/** Those of the last time if they are free, so that links stay valid. */
async function assignPorts(home: string, report: (line: string) => void) {
  const file = join(home, 'temporal', 'ports.json');
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const wanted = text === undefined ? PREFERRED : (JSON.parse(text) as typeof PREFERRED);
  const port = await choosePort(wanted.port);
  const uiPort = await choosePort(wanted.uiPort);
  if (port !== wanted.port) report(`port ${wanted.port} is taken: Temporal listens on ${port}`);
  if (uiPort !== wanted.uiPort) report(`port ${wanted.uiPort} is taken: Temporal's UI listens on ${uiPort}`);
  await writeFileAtomically(file, JSON.stringify({ port, uiPort }));
  return { port, uiPort };
}

async function untilItAnswers(address: string, process: KeptProcess): Promise<void> {
  const until = Date.now() + STARTS_WITHIN_MS;
  for (;;) {
    const reason = await answers(address).then(
      () => undefined,
      (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
    );
    if (reason === undefined) return;
    if (Date.now() > until) {
      const log = await readFile(process.logFile, 'utf8').catch(() => '');
      throw new Error(
        `Temporal on ${address} does not answer (${reason}). ${process.logFile} ends with:\n${log.slice(-1_000)}`,
      );
    }
    await delay(100);
  }
}

async function answers(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2s' });
  try {
    await connection.withDeadline(Date.now() + 2_000, () =>
      connection.workflowService.describeNamespace({ namespace: NAMESPACE }),
    );
  } finally {
    await connection.close();
  }
}
