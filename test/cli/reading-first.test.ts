import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { readingFirst, servedByStack } from '../../src/cli/api/reading-first.js';
import { Problem } from '../../src/cli/api/problem.js';
import type { Api } from '../../src/cli/api/api.js';
import { announceService, readStack, writeStack } from '../../src/stack/data-directory.js';
import { temporaryFolder } from '../stack/folder.js';

const NOTHING = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, REEVE_API: undefined };

/** The data directory of a stack whose service answers like this. */
async function stackWith(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const home = await temporaryFolder();
  const temporal = { address: '127.0.0.1:9', namespace: 'default', embedded: true, secured: false };
  await writeStack(home, { pid: process.pid, temporal, databaseUrl: 'postgresql://127.0.0.1:9/reeve' });
  await announceService(home, `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  expect(await readStack(home)).toHaveProperty('serviceUrl');
  return home;
}

const BOX = {
  ...{ id: 'Box/b', type: 'Box', key: 'b', life: 'l', version: 3, state: 'Open', health: 'normal', settled: true },
  ...{ operation: null, stuck_since: null, waiting: [], successors: [], properties: { size: 7 }, running: null },
  ...{ attempt: null, attempts: null, exhausted: false, next_attempt_time: null, last_error: null, stale: false },
};
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/health/live': {},
  '/docs/types.json': {
    Box: { path: '/api/t/v1/Box', states: ['Open'], creation: [], displayNames: { states: {}, events: {} } },
  },
  '/api/t/v1/Box/b': BOX,
  '/api/t/v1/Box/b/allowed-events': { events: [{ event: 'close', allowed: true }] },
};
const answering: RequestListener = ({ url = '' }, response) => {
  response.writeHead(url in ANSWERS ? 200 : 404).end(JSON.stringify(ANSWERS[url] ?? {}));
};

/** Runs before the command, and tells at its end what has been loaded, and how much processor time it has taken. */
const MEASURE = `data:text/javascript,${encodeURIComponent(`
  import module from 'node:module';
  import process from 'node:process';
  process.on('exit', () => {
    const { user, system } = process.cpuUsage();
    console.error(JSON.stringify({ ms: (user + system) / 1_000, loaded: Object.keys(module._cache) }));
  });`)}`;

it('reeve get reads from the service of the running stack, and loads neither Temporal nor PostgreSQL (S6.3)', async () => {
  const env = { ...process.env, NO_COLOR: '1', ...NOTHING, REEVE_DATA_DIR: await stackWith(answering) };
  const words = ['--import', MEASURE, 'dist/src/cli/main.js', 'get', 'Box/b'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, words, { env });
  expect(stdout).toMatch(/^Box\/b {2}Open\n/);
  expect(stdout).toMatch(/size +7\n[^]*close +valid/);
  const { ms, loaded } = JSON.parse(stderr) as { readonly ms: number; readonly loaded: readonly string[] };
  expect(loaded.filter((path) => /node_modules.(@temporalio|@grpc|pg|protobufjs|pino)\b/.test(path))).toEqual([]);
  // On a busy machine it takes 0.5 s, and with all that it need not load 4 s.
  expect(ms).toBeLessThan(1_000);
});

it('a stack whose service does not answer, or a command that changes something or names services, reads by itself (S6.3)', async () => {
  const home = { REEVE_DATA_DIR: await stackWith(answering) };
  expect(await servedByStack('either', home)).toBeDefined();
  expect(await servedByStack('workflows', home)).toBeUndefined();
  expect(await servedByStack('either', { ...home, DATABASE_URL: 'postgresql://elsewhere/reeve' })).toBeUndefined();
  expect(await servedByStack('either', { REEVE_DATA_DIR: await temporaryFolder() })).toBeUndefined();
  const failing = { REEVE_DATA_DIR: await stackWith((_, response) => void response.writeHead(503).end()) };
  expect(await servedByStack('either', failing)).toBeUndefined();
});

/** An API that answers with its name, or fails. */
const named = (name: string, failure?: Problem): Api => ({
  ask: async () => {
    if (failure) throw failure;
    return { headers: new Headers(), body: name };
  },
  async *follow() {
    yield { final: true, data: name };
  },
});

it('what the service of the stack cannot tell is asked of the command itself, and the rest is not (S6.3)', async () => {
  let opened = 0;
  const own = async () => ({ api: named(`own ${++opened}`), close: async () => undefined });
  const through = (failure?: Problem) => readingFirst(named('service', failure), own).api;
  expect((await through().ask('GET', '/x')).body).toBe('service');
  expect((await through().ask('POST', '/x')).body).toBe('own 1');
  const away = through(new Problem(503, 'store_unavailable', 'It is away.'));
  expect([(await away.ask('GET', '/x')).body, (await away.ask('GET', '/y')).body]).toEqual(['own 2', 'own 2']);
  await expect(through(new Problem(404, 'absent', 'There is none.')).ask('GET', '/x')).rejects.toThrow(
    'There is none.',
  );
  expect(opened).toBe(2);
});
