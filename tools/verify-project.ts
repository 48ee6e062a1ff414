import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pc from 'picocolors';
import { commandOptions } from './command-options.js';
import { addDiary } from './project/diary.js';
import { choosePort } from '../src/stack/ports.js';
import { recordedPid, recordedProcesses } from '../src/stack/process-record.js';

const HELP = `npm run verify-project -- [--node PATH] [--newest]

Makes a project by 'reeve init' in an empty folder outside of the clone, installs, tests and starts it, and uses it over HTTP with
roles, while a second worker and a second service come and the first ones are killed. S3.9, S6

  --newest      ask the registry for the newest version of each package that the ranges allow, and print what was installed
  --node PATH   run all of it on this executable of Node (default: the one that runs this)`;

/** How long the outcome of a request may take on a busy machine, in milliseconds. */
const OUTCOME_MS = 300_000;

const REEVE = fileURLToPath(new URL('../../infra/reeve.mjs', import.meta.url));
const { values } = commandOptions(HELP, {
  node: { type: 'string', default: process.execPath },
  newest: { type: 'boolean', default: false },
});
const base = await mkdtemp(join(tmpdir(), 'reeve-verify-project-'));
const folder = join(base, 'garden');
const home = join(base, 'data');
const port = await choosePort();
const env: NodeJS.ProcessEnv = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(TEMPORAL_(?!EXEC)|REEVE_|DATABASE_URL$|npm_)/.test(name)),
  ),
  PATH: [dirname(values.node), process.env['PATH']].join(delimiter),
  ...{ REEVE_DATA_DIR: home, REEVE_API_PORT: String(port), REEVE_API_KEYS: join(base, 'keys.json') },
};
const started: ChildProcess[] = [];

process.exitCode = await main().finally(async () => {
  for (const child of started) if (child.exitCode === null && child.signalCode === null) signal(child, 'SIGKILL');
  await rm(base, { recursive: true, force: true });
});

async function main(): Promise<number> {
  await step('Node', () => run('node', ['--version'], base));
  await step('reeve init garden --with lambda', () => run('node', [REEVE, 'init', 'garden', '--with', 'lambda'], base));
  await step('an entity with codecs and coerced values', () => addDiary(folder));
  await step('npm install', async () => {
    const online = values.newest ? ['--prefer-online'] : [];
    const { child, said } = start('npm', ['install', '--no-audit', '--no-fund', ...online], env);
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0 || said().includes('ERESOLVE')) throw new Error(said());
  });
  if (values.newest)
    console.log(await run('npm', ['ls', 'zod', 'webpack', '@temporalio/worker', 'typescript'], folder));
  await step('npm test', () => run('npm', ['test'], folder));
  const keys = { author: await keyOf('author'), reader: await keyOf('reader') };
  const up = start('npm', ['start'], env);
  await step('npm start', async () => {
    await patiently(async () => {
      if (up.child.exitCode !== null) throw new Error(up.said());
      await ask('GET', '/health/ready');
    }, 120_000);
  });
  await step('HTTP, with roles', () => useIt(port, keys, 'one'));
  await step('codecs and coerced values', () => keepDiary(keys.author));
  await step('the page and its diagrams', async () => {
    const page = await (await ask('GET', '/')).text();
    if (!page.includes('<script')) throw new Error(`this is no page: ${page}`);
    const diagram = (await (await ask('GET', '/docs/diagrams/Site.json')).json()) as { readonly type?: string };
    if (diagram.type !== 'Site') throw new Error('the diagram of Site is missing');
  });
  await step('a second worker and service, and the first ones killed', async () => {
    const other = await choosePort();
    start('npx', ['reeve', 'worker'], env);
    start('npx', ['reeve', 'service'], { ...env, REEVE_API_PORT: String(other) });
    await patiently(() => ask('GET', '/health/ready', {}, other), 120_000);
    for (const name of ['worker', 'service']) process.kill(await pidOf(name), 'SIGKILL');
    await useIt(other, keys, 'two');
  });
  await step('it stops when it is told to', async () => {
    signal(up.child, 'SIGINT');
    // npm itself ends by the signal. What it has started says how it ends, and takes its time.
    const [code, by] = (await once(up.child, 'close')) as [number | null, string | null];
    if (code !== 0 && by !== 'SIGINT') throw new Error(`exit code ${code}:\n${up.said()}`);
    const left = (await recordedProcesses(home)).filter(({ stand }) => stand !== 'ended').map(({ name }) => name);
    if (left.length > 0) throw new Error(`${left.join(', ')} still runs:\n${up.said()}`);
  });
  return 0;
}

/** Creates a site, rewrites, reads and removes it, and is refused where the role does not allow it. */
async function useIt(at: number, keys: Readonly<Record<'author' | 'reader', string>>, key: string): Promise<void> {
  const sites = '/api/garden/v1/Site';
  const created = { key, event: 'create', construct: { text: 'hello' } };
  await ask('POST', sites, { key: keys.reader, body: created, status: 403 }, at);
  await ask('POST', sites, { body: created, status: 401 }, at);
  await patiently(() => ask('POST', sites, { key: keys.author, body: created, wait: true }, at), 60_000);
  if ((await readFile(fileOf(key), 'utf8')) !== 'hello') throw new Error('the page was not published');
  await ask('POST', `${sites}/${key}/rewrite`, { key: keys.author, body: { text: 'good day' }, wait: true }, at);
  const read = (await (await ask('GET', `${sites}/${key}`, { key: keys.reader }, at)).json()) as object;
  if (!JSON.stringify(read).includes('good day')) throw new Error(`it was not rewritten: ${JSON.stringify(read)}`);
  await ask('POST', `${sites}/${key}/remove`, { key: keys.author, body: {}, wait: true }, at);
  await ask('GET', `${sites}/${key}`, { key: keys.reader, status: 410 }, at);
}

/** Writes to a diary, and reads back what the action has made of the decoded values. S1.1, S1.5a */
async function keepDiary(key: string): Promise<void> {
  const diaries = '/api/garden/v1/Diary';
  await ask('POST', diaries, { key, body: { key: '2026-11-27', event: 'create' }, wait: true });
  const written = { pages: '3', at: '2026-11-27T20:00:00.000Z' };
  await ask('POST', `${diaries}/2026-11-27/write`, { key, body: written, wait: true });
  const read = JSON.stringify(await (await ask('GET', `${diaries}/2026-11-27`, { key })).json());
  for (const part of ['"pages":3', '"written":"2026-11-27T20:00:00.001Z"']) {
    if (!read.includes(part)) throw new Error(`${part} is missing: ${read}`);
  }
  await ask('POST', `${diaries}/2026-11-27/remove`, { key, body: {}, wait: true });
}

function fileOf(key: string): string {
  return join(folder, 'sites', `${key}.html`);
}

interface Asked {
  readonly key?: string;
  readonly body?: object;
  readonly wait?: boolean;
  /** The status that is right; any below 300 unless given. */
  readonly status?: number;
}

/** Asks the service. With `wait`, the same request is repeated until its outcome is known: a worker may take minutes to start. */
async function ask(
  method: string,
  path: string,
  { key, body, wait, status }: Asked = {},
  at = port,
): Promise<Response> {
  const request = randomUUID();
  const until = Date.now() + OUTCOME_MS;
  const send = () =>
    fetch(`http://127.0.0.1:${at}${path}`, {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...(wait && { prefer: 'wait=60', 'idempotency-key': request }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  let response = await send();
  while (wait && response.status === 202 && Date.now() < until) response = await send();
  if (wait && response.status === 202) throw new Error(`${method} ${path}: no outcome within ${OUTCOME_MS / 1_000} s`);
  if (status === undefined ? response.ok : response.status === status) return response;
  throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
}

async function keyOf(role: string): Promise<string> {
  return (await run('npx', ['reeve', 'keys', 'create', role, '--tenant', '*', '--role', role], folder)).trim();
}

/** The process id of a part of the stack. */
async function pidOf(name: string): Promise<number> {
  const pid = await recordedPid({ home, name });
  if (pid === undefined) throw new Error(`no ${name} runs`);
  return pid;
}

/** Tries again until it goes well. @throws the last failure, after the time */
async function patiently<T>(work: () => Promise<T>, withinMs: number): Promise<T> {
  const until = Date.now() + withinMs;
  for (;;) {
    try {
      return await work();
    } catch (thrown) {
      if (Date.now() > until) throw thrown;
      await delay(300);
    }
  }
}

async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
  const startedAt = Date.now();
  try {
    const done = await work();
    const said = title === 'Node' ? ` ${String(done).trim()}` : '';
    console.log(`${pc.green('ok  ')} ${(title + said).padEnd(56)} ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
    return done;
  } catch (thrown) {
    console.log(`${pc.red('FAIL')} ${title}`);
    throw thrown;
  }
}

/** Starts a command as a terminal does: it and its children are one group. */
function start(command: string, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const child = spawn(command, args, {
    ...{ cwd: folder, env: environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += String(chunk)));
  started.push(child);
  return { child, said: () => said };
}

/** Sends a signal to a command and all its children, as Ctrl-C in a terminal does. */
function signal(child: ChildProcess, name: 'SIGINT' | 'SIGKILL'): void {
  process.kill(-child.pid!, name);
}

/** Runs a command to its end. @throws with all that it has said, when it fails */
async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [printed, said] = ['', ''];
  child.stdout.on('data', (chunk) => {
    printed += String(chunk);
    said += String(chunk);
  });
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed:\n${said}`);
  return printed;
}
