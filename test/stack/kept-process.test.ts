import { readFile, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { dataDirectory } from '../../src/cli/doctor/data-directory.js';
import { prepareDataDirectory, type StackDescription } from '../../src/stack/data-directory.js';
import { KeptProcess, type KeptProcessOptions } from '../../src/stack/kept-process.js';
import { endAllRecorded } from '../../src/stack/process-record.js';
import { frozenWorkers } from '../../src/stack/frozen-workers.js';
import { identify, isRunning, type ProcessIdentity } from '../../src/stack/processes.js';
import { temporaryFolder } from './folder.js';
import { parentOf } from './process-table.js';
import { runScript } from './script.js';

const SLEEPER = { command: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'] };
const SOON = { timeout: 8_000, interval: 25 };

async function preparedHome(): Promise<string> {
  const home = await temporaryFolder();
  await prepareDataDirectory(home);
  return home;
}

async function keep(options: Partial<KeptProcessOptions> & { readonly home: string }): Promise<KeptProcess> {
  const kept = await KeptProcess.start({ name: 'sleeper', ...SLEEPER, ...options });
  onTestFinished(() => kept.stop());
  return kept;
}

/** The process that is recorded now, once it is another one than before. */
async function nextProcess(kept: Pick<KeptProcess, 'pid'>, before?: number): Promise<ProcessIdentity> {
  const pid = await vi.waitFor(async () => {
    const now = await kept.pid();
    expect(now).toBeDefined();
    expect(now).not.toBe(before);
    return now!;
  }, SOON);
  return (await identify(pid))!;
}

const untilEnded = (target: ProcessIdentity) =>
  vi.waitFor(async () => expect(await isRunning(target)).toBe(false), SOON);

describe('a kept process', () => {
  it('is started again when it is killed, and its pid file holds the id of the command and nothing else', async () => {
    const home = await preparedHome();
    const exits: (number | null)[] = [];
    const kept = await keep({ home, onExit: (code) => exits.push(code) });
    const first = await nextProcess(kept);
    process.kill(first.pid, 'SIGKILL');
    const second = await nextProcess(kept, first.pid);
    expect(await isRunning(second)).toBe(true);
    expect(exits).toEqual([null]);
    const pidFile = join(home, 'run', 'sleeper.pid');
    await vi.waitFor(async () => expect(await readFile(pidFile, 'utf8')).toBe(String(second.pid)), SOON);
  });

  it('has a log that is put aside when it is large, and goes on in a new one', async () => {
    const home = await preparedHome();
    const script = ['-e', "setInterval(() => console.log('x'.repeat(99)), 5)"];
    const kept = await keep({ home, args: script, log: { bytes: 2_000, everyMs: 20 } });
    const size = async (path: string) => (await stat(path)).size;
    await vi.waitFor(async () => expect(await size(`${kept.logFile}.1`)).toBeGreaterThan(2_000), SOON);
    let largest = 0;
    await vi.waitFor(async () => {
      const now = await size(kept.logFile);
      largest = Math.max(largest, now);
      expect(now).toBeLessThan(largest);
    }, SOON);
  });

  it('that a signal has stopped is told as frozen, with how to continue it (S5.4)', async () => {
    const home = await preparedHome();
    const { pid } = await nextProcess(await keep({ home }));
    const stack = { pid: process.pid, databaseUrl: '', temporal: {} } as unknown as StackDescription;
    const told = async () =>
      (await dataDirectory.look({ env: {}, home, taskQueue: 'reeve', stack })).filter(({ about }) => about === 'stack');
    expect(await told()).toMatchObject([{ status: 'ok' }]);
    process.kill(pid, 'SIGSTOP');
    await vi.waitFor(
      async () =>
        expect(await told()).toMatchObject([
          {
            status: 'problem',
            says: expect.stringMatching(`^sleeper \\(process ${pid}\\) is frozen: `),
            remedy: `Continue it: kill -CONT ${pid}`,
          },
        ]),
      SOON,
    );
    process.kill(pid, 'SIGCONT');
    await vi.waitFor(async () => expect(await told()).toMatchObject([{ status: 'ok' }]), SOON);
  });

  it('that is a worker or an executor is told as frozen to all that ask who serves a task queue (S5.4)', async () => {
    const home = await preparedHome();
    const queues = ['reeve', 'reeve/place/east', 'reefs'];
    const told = async () =>
      (await frozenWorkers(home, 'reeve')).map(({ identity, serves }) => [identity, queues.filter(serves)]);
    const stopped: [string, string[]][] = [];
    for (const [name, served] of [
      ['executor', ['reeve/place/east']],
      ['resources', []],
      ['worker', ['reeve']],
      ['worker-b7', ['reeve']],
    ] as const) {
      const { pid } = await nextProcess(await keep({ home, name }));
      process.kill(pid, 'SIGSTOP');
      onTestFinished(() => void process.kill(pid, 'SIGCONT'));
      if (served.length > 0) stopped.push([`${pid}@${hostname()}`, [...served]]);
    }
    await vi.waitFor(async () => expect((await told()).sort()).toEqual(stopped.sort()), SOON);
    expect(await frozenWorkers(await temporaryFolder(), 'reeve')).toEqual([]);
  });

  it('waits longer before each start while it keeps failing', async () => {
    const home = await preparedHome();
    const exits: number[] = [];
    const script = ['-e', 'process.exit(3)'];
    const kept = await keep({ home, args: script, onExit: () => exits.push(Date.now()) });
    await vi.waitFor(() => expect(exits.length).toBeGreaterThanOrEqual(4), SOON);
    await kept.stop();
    const gaps = exits.slice(1).map((at, index) => at - exits[index]!);
    expect(gaps[0]).toBeGreaterThanOrEqual(200);
    expect(gaps[1]).toBeGreaterThanOrEqual(400);
    expect(gaps[2]).toBeGreaterThanOrEqual(800);
  });

  it('runs once when it is not to be started again', async () => {
    const exits: (number | null)[] = [];
    const args = ['-e', 'process.exit(3)'];
    const kept = await keep({ home: await preparedHome(), args, restart: false, onExit: (code) => exits.push(code) });
    await vi.waitFor(() => expect(exits).toEqual([3]), SOON);
    await kept.stop();
    expect(exits).toEqual([3]);
  });

  it('says in its log that its command cannot be started', async () => {
    const codes: (number | null)[] = [];
    const kept = await keep({
      home: await preparedHome(),
      command: 'no-such-command',
      onExit: (code) => codes.push(code),
    });
    await vi.waitFor(() => expect(codes).toContain(127), SOON);
    expect(await readFile(kept.logFile, 'utf8')).toContain('no-such-command');
  });

  it('ends when it is stopped, and leaves no record', async () => {
    const home = await preparedHome();
    const kept = await keep({ home });
    const running = await nextProcess(kept);
    await kept.stop();
    expect(await isRunning(running)).toBe(false);
    expect(await kept.pid()).toBeUndefined();
    await expect(readFile(join(home, 'run', 'sleeper.pid'))).rejects.toThrow('ENOENT');
  });

  it('is not started again when it is stopped while it waits to be', async () => {
    let exits = 0;
    let failed: () => void;
    const failure = new Promise<void>((resolve) => (failed = resolve));
    const args = ['-e', 'process.exit(3)'];
    const kept = await keep({ home: await preparedHome(), args, onExit: () => (exits++, failed()) });
    await failure;
    await kept.stop();
    expect(exits).toBe(1);
    expect(await kept.pid()).toBeUndefined();
  });

  it('ends by force when it does not listen, not before its time is over', async () => {
    const deaf = `process.on('SIGTERM', () => {}); console.log('deaf'); setInterval(() => {}, 1000)`;
    const kept = await keep({ home: await preparedHome(), args: ['-e', deaf], endsWithinMs: 500 });
    await vi.waitFor(async () => expect(await readFile(kept.logFile, 'utf8')).toContain('deaf'), SOON);
    const running = await nextProcess(kept);
    const askedAt = Date.now();
    await kept.stop();
    expect(Date.now() - askedAt).toBeGreaterThanOrEqual(500);
    expect(await isRunning(running)).toBe(false);
  });
});

describe('a kept process ends although', () => {
  const holder = (home: string) => `
    const { KeptProcess } = await built('kept-process');
    const options = ${JSON.stringify({ name: 'sleeper', home, ...SLEEPER })};
    const kept = await KeptProcess.start(options);
    for (;;) {
      const pid = await kept.pid();
      if (pid) { console.log(pid); break; }
      await new Promise((resolve) => setTimeout(resolve, 20));
    }`;

  it('the one that holds it is killed with SIGKILL', async () => {
    const script = runScript(holder(await preparedHome()));
    const running = (await identify(Number(await script.firstLine)))!;
    await script.kill();
    await untilEnded(running);
  });

  it.runIf(process.platform === 'linux')('its leash is killed: it ends before its successor starts', async () => {
    const kept = await keep({ home: await preparedHome() });
    const first = await nextProcess(kept);
    process.kill(await parentOf(first.pid), 'SIGKILL');
    const second = await nextProcess(kept, first.pid);
    expect(await isRunning(first)).toBe(false);
    expect(await isRunning(second)).toBe(true);
  });

  it.runIf(process.platform === 'linux')('holder and leash are killed: the next stack ends it', async () => {
    const home = await preparedHome();
    const script = runScript(holder(home));
    const running = (await identify(Number(await script.firstLine)))!;
    const leash = await parentOf(running.pid);
    script.process.kill('SIGSTOP');
    process.kill(leash, 'SIGKILL');
    await script.kill();
    expect(await isRunning(running)).toBe(true);
    await endAllRecorded(home);
    expect(await isRunning(running)).toBe(false);
  });
});

it('a process that was given the id of one that is gone is left alone', async () => {
  const home = await preparedHome();
  const other = runScript(`console.log('up'); setInterval(() => {}, 1000)`);
  await other.firstLine;
  const stale = { pid: other.pid, started: 'another time', stopSignal: 'SIGTERM' };
  await writeFile(join(home, 'run', 'sleeper.json'), JSON.stringify(stale));
  await endAllRecorded(home);
  expect(await identify(other.pid)).toBeDefined();
  await expect(readFile(join(home, 'run', 'sleeper.json'))).rejects.toThrow('ENOENT');
});
