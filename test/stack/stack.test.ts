import { spawn } from 'node:child_process';
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asDatabaseUser } from '../../src/stack/database-user.js';
import { prepareDataDirectory, readStack, writeStack } from '../../src/stack/data-directory.js';
import { choosePort } from '../../src/stack/ports.js';
import { recordedPid } from '../../src/stack/process-record.js';
import { identify, isRunning } from '../../src/stack/processes.js';
import { findService } from '../../src/stack/service.js';
import { startStack, type Stack } from '../../src/stack/stack.js';
import { connect } from '../../src/temporal/connection.js';
import { temporaryFolder } from './folder.js';
import { listenersOf, parentOf } from './process-table.js';
import { runScript } from './script.js';

const SOON = { timeout: 12_000, interval: 50 };
/** An address of 127.0.0.0/8, as Linux writes it. */
const LOOPBACK = /^[0-9A-F]{6}7F:/;

/** Settings that name a database, so that only Temporal is started, and no profile of whoever runs the tests. */
function settings(more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('TEMPORAL_'));
  return {
    ...Object.fromEntries(own),
    TEMPORAL_CONFIG_FILE: '/no/such/profile.toml',
    DATABASE_URL: 'postgresql://127.0.0.1:1/none',
    ...more,
  };
}

async function start(home: string, more: NodeJS.ProcessEnv = {}, lines: string[] = []): Promise<Stack> {
  const stack = await startStack({ home, env: settings(more), report: (line) => lines.push(line) });
  onTestFinished(() => stack.stop());
  return stack;
}

/** The status of an answer; nothing where what listens speaks no HTTP. */
function statusOf(options: RequestOptions): Promise<number | undefined> {
  return new Promise((resolve) => {
    const asked = request({ ...options, timeout: 10_000 }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('timeout', () => asked.destroy());
    asked.on('error', () => resolve(undefined));
    asked.end();
  });
}

/** The namespace's id: each service has given its own to the one that it calls `default`. */
async function namespaceId(address: string): Promise<string> {
  const connection = await connect({ address });
  try {
    const { namespaceInfo } = await connection.workflowService.describeNamespace({ namespace: 'default' });
    return namespaceInfo?.id ?? '';
  } finally {
    await connection.close();
  }
}

describe('a stack', () => {
  it('keeps its data and its addresses across a restart', async () => {
    const home = await temporaryFolder();
    const first = await start(home);
    const id = await namespaceId(first.temporal.address);
    expect(await readStack(home)).toMatchObject({ pid: process.pid, temporal: { embedded: true } });
    expect((await fetch(first.temporal.uiUrl!)).ok).toBe(true);
    const pid = await recordedPid({ home, name: 'temporal' });
    await first.stop();
    expect(await identify(pid!)).toBeUndefined();
    expect(await readStack(home)).toBeUndefined();

    const second = await start(home);
    expect(second.temporal).toEqual(first.temporal);
    expect(await namespaceId(second.temporal.address)).toBe(id);
  });

  it('is the only one on its data directory', async () => {
    const home = await temporaryFolder();
    await start(home);
    await expect(start(home)).rejects.toThrow(`Another stack uses ${home}: process ${process.pid}`);
  });

  it('started at the same time as another one has a service of its own', async () => {
    const homes = [await temporaryFolder(), await temporaryFolder()];
    const stacks = await Promise.all(homes.map((home) => start(home)));
    const ids = await Promise.all(stacks.map(({ temporal }) => namespaceId(temporal.address)));
    expect(new Set(ids).size).toBe(2);
  });

  it('takes other ports when its own are taken, and says so', async () => {
    const home = await temporaryFolder();
    const first = await start(home);
    await first.stop();
    const port = Number(first.temporal.address.split(':')[1]);
    const squatter = createServer();
    await new Promise<void>((resolve) => squatter.listen(port, '127.0.0.1', resolve));
    onTestFinished(() => void squatter.close());

    const lines: string[] = [];
    const second = await start(home, {}, lines);
    expect(second.temporal.address).not.toBe(first.temporal.address);
    expect(lines).toContainEqual(expect.stringContaining(`port ${port} is taken: Temporal listens on `));
  });

  it('starts a service that was killed again, at the same address and with its data', async () => {
    const lines: string[] = [];
    const stack = await start(await temporaryFolder(), {}, lines);
    const id = await namespaceId(stack.temporal.address);
    process.kill((await stack.temporalProcess!.pid())!, 'SIGKILL');
    await vi.waitFor(() => expect(lines).toContainEqual(expect.stringContaining('started again')), SOON);
    await vi.waitFor(async () => expect(await namespaceId(stack.temporal.address)).toBe(id), SOON);
  });

  it.runIf(process.platform === 'linux')('listens on this machine only', async () => {
    const stack = await start(await temporaryFolder());
    const listeners = await listenersOf((await stack.temporalProcess!.pid())!);
    expect(listeners.length).toBeGreaterThanOrEqual(2);
    for (const listener of listeners) expect(listener).toMatch(LOOPBACK);
  });

  it("keeps pages of other sites from Temporal's UI, whatever name they use for this machine (S6.5)", async () => {
    const { temporal } = await start(await temporaryFolder());
    const { host, port } = new URL(temporal.uiUrl!);
    const path = '/api/v1/namespaces';
    const ask = (headers: Readonly<Record<string, string>>, method = 'GET') =>
      statusOf({ host: '127.0.0.1', port, path, method, headers });
    // The UI reaches the service a moment later.
    await vi.waitFor(async () => expect(await ask({ Host: host })).toBe(200), SOON);
    expect(await ask({ Host: `localhost:${port}`, Origin: `http://localhost:${port}` })).toBe(200);
    expect(await ask({ Host: `rebound.example:${port}` })).toBe(403);
    expect(await ask({ Host: `127.0.0.1.rebound.example:${port}` })).toBe(403);
    expect(await ask({ Host: host, Origin: 'http://rebound.example' })).toBe(403);
    expect(await ask({ Host: host, Origin: 'null' }, 'POST')).toBe(403);
    expect(await ask({ Host: host, Origin: 'http://127.0.0.1:1' }, 'POST')).toBe(403);
  });

  it.runIf(process.platform === 'linux')(
    'has no other door of Temporal that a page finds at 127.0.0.1 (S6.5)',
    async () => {
      const stack = await start(await temporaryFolder());
      const listeners = await listenersOf((await stack.temporalProcess!.pid())!);
      const ports = listeners.filter((each) => each.startsWith('0100007F:')).map((each) => parseInt(each.slice(9), 16));
      expect(ports).toContain(Number(stack.temporal.address.split(':')[1]));
      for (const port of ports) {
        const headers = { Host: `rebound.example:${port}` };
        const status = await statusOf({ host: '127.0.0.1', port, path: '/api/v1/namespaces', headers });
        expect(status, `port ${port}`).not.toBe(200);
      }
    },
  );

  it('says why its service does not start, with the end of its log, and leaves nothing behind', async () => {
    const home = await temporaryFolder();
    await prepareDataDirectory(home);
    // A folder where the database file should be.
    await prepareDataDirectory(join(home, 'temporal', 'temporal.db'));
    await expect(start(home)).rejects.toThrow(
      /Temporal .* ended instead of starting\. .*temporal\.log ends with:\n.+/s,
    );
    expect(await readdir(join(home, 'run', 'lock'))).toEqual([]);
    expect(await recordedPid({ home, name: 'temporal' })).toBeUndefined();
  });
});

describe('a Temporal service that the configuration names', () => {
  it('is used instead of an embedded one', async () => {
    const { temporal } = await start(await temporaryFolder());
    const home = await temporaryFolder();
    const stack = await start(home, { TEMPORAL_ADDRESS: temporal.address });
    expect(stack.temporal).toMatchObject({ address: temporal.address, embedded: false, secured: false });
    expect(stack.temporalProcess).toBeUndefined();
    expect(await recordedPid({ home, name: 'temporal' })).toBeUndefined();
    const found = await findService(settings({ REEVE_DATA_DIR: home }));
    expect(found).toMatchObject({ connectionOptions: { address: temporal.address }, namespace: 'default' });
  });

  it('and that does not answer is named by the error', async () => {
    const address = `127.0.0.1:${await choosePort()}`;
    const starting = start(await temporaryFolder(), { TEMPORAL_ADDRESS: address });
    await expect(starting).rejects.toThrow(new RegExp(`service at ${address}, namespace default, cannot be used`));
  });
});

describe('the service is found', () => {
  it('nowhere when no stack runs, and the error says what to do', async () => {
    const home = await temporaryFolder();
    await expect(findService(settings({ REEVE_DATA_DIR: home }))).rejects.toThrow(/npx reeve up.*TEMPORAL_ADDRESS/);
  });

  it('by the standard configuration first, with its credentials', async () => {
    const found = await findService(settings({ TEMPORAL_ADDRESS: 'example:7233', TEMPORAL_API_KEY: 'key' }));
    expect(found).toMatchObject({ connectionOptions: { address: 'example:7233', apiKey: 'key', tls: true } });
  });

  it('not without the credentials that the stack uses and does not keep', async () => {
    const home = await temporaryFolder();
    const temporal = { address: 'example:7233', namespace: 'ours', embedded: false, secured: true };
    await writeStack(home, { pid: process.pid, temporal, databaseUrl: 'postgres://reeve@localhost:5432/reeve' });
    expect(await readFile(join(home, 'stack.json'), 'utf8')).not.toContain('key');
    await expect(findService(settings({ REEVE_DATA_DIR: home }))).rejects.toThrow(/example:7233 with credentials/);
  });
});

describe('a stack that is killed with SIGKILL', () => {
  const script = (home: string) => `
    const { startStack } = await built('stack');
    const stack = await startStack({ home: ${JSON.stringify(home)} });
    console.log(JSON.stringify(stack));
    setInterval(() => {}, 1000);`;

  it('leaves its data and addresses to the next one', async () => {
    const home = await temporaryFolder();
    const env = settings({ DATABASE_URL: '' });
    const killed = runScript(script(home), env);
    const first = JSON.parse(await killed.firstLine) as Stack;
    await killed.kill();
    // At once: the next stack has to wait for what still ends.
    const second = await startStack({ home, env });
    onTestFinished(() => second.stop());
    expect(second.temporal).toEqual(first.temporal);
    expect(second.databaseUrl).toBe(first.databaseUrl);
    // The store makes its own database; the server has one to begin with.
    const server = new URL(second.databaseUrl);
    server.pathname = '/postgres';
    const client = new pg.Client({ connectionString: server.href });
    await client.connect();
    // It can be copied (A6).
    expect((await client.query('show wal_level')).rows).toEqual([{ wal_level: 'logical' }]);
    await client.end();
  });

  it.runIf(process.platform === 'linux')('together with its leashes is cleaned up by the next one', async () => {
    const home = await temporaryFolder();
    const env = settings();
    const killed = runScript(script(home), env);
    const first = JSON.parse(await killed.firstLine) as Stack;
    const service = (await identify((await recordedPid({ home, name: 'temporal' }))!))!;
    killed.process.kill('SIGSTOP');
    process.kill(await parentOf(service.pid), 'SIGKILL');
    await killed.kill();
    expect(await isRunning(service)).toBe(true);
    const second = await start(home);
    expect(await isRunning(service)).toBe(false);
    expect(second.temporal).toEqual(first.temporal);
  });

  it('is followed by one that does not take a stranger for its PostgreSQL', async () => {
    const home = await temporaryFolder();
    const { temporal } = await start(await temporaryFolder());
    const env = settings({ DATABASE_URL: '', TEMPORAL_ADDRESS: temporal.address });
    await (await startStack({ home, env })).stop();
    // One that PostgreSQL could signal: with others, it sees by itself that they are strangers.
    const { command, args } = asDatabaseUser({ command: 'sleep', args: ['60'] });
    const stranger = spawn(command, [...args], { stdio: 'ignore' });
    onTestFinished(() => void stranger.kill());
    await writeFile(join(home, 'postgres', 'data', 'postmaster.pid'), `${stranger.pid}\n`);
    const next = await startStack({ home, env });
    await next.stop();
    expect(await identify(stranger.pid!)).toBeDefined();
  });

  it('takes Temporal and PostgreSQL with it', async () => {
    const home = await temporaryFolder();
    const killed = runScript(script(home), settings({ DATABASE_URL: '' }));
    await killed.firstLine;
    const running = await Promise.all(
      ['temporal', 'postgres'].map(async (name) => (await identify((await recordedPid({ home, name }))!))!),
    );
    await killed.kill();
    for (const process of running) {
      await vi.waitFor(async () => expect(await isRunning(process)).toBe(false), SOON);
    }
  });
});
