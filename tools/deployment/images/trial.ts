import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { choosePort } from '../../../src/stack/ports.js';
import { forAll, Records } from '../fleet/records.js';
import { hostFileOf, startSurroundings } from '../plane.js';
import { buildImage, provideBase, startImage, type Image } from './image.js';

const USER = 65_532;
/** How long a platform waits after SIGTERM, as the manifests say, in milliseconds. */
const DRAINS_WITHIN_MS = { worker: 40_000, service: 30_000 };
const CALLERS = 4;
const NAMES = 60;

/**
 * Builds the images and runs them against a real Temporal and PostgreSQL: as not root, with a read-only root; they are drained and
 * killed while callers work. Gives what is wrong. Q3
 */
export async function tryImages(home: string, report: (line: string) => void): Promise<readonly string[]> {
  const node = process.versions.node.split('.')[0]!;
  // The base is kept between runs.
  await provideBase(`docker.io/library/node:${node}-bookworm-slim`, join(home, '..'), report);
  const images: Record<'worker' | 'service' | 'prepare', Image> = {
    worker: await buildImage('worker', node),
    service: await buildImage('service', node),
    prepare: await buildImage('prepare', node),
  };
  const problems: string[] = [];
  for (const { name, megabytes, user, labels, root } of Object.values(images)) {
    report(`${name}: ${megabytes} MB, user ${user}`);
    if (!user.startsWith(String(USER))) problems.push(`${name} runs as ${user}`);
    if (!labels['org.opencontainers.image.version']) problems.push(`${name} has no label of its version`);
    const bom = JSON.parse(await readFile(join(root, 'app', 'sbom.spdx.json'), 'utf8')) as {
      readonly packages?: unknown[];
    };
    if ((bom.packages?.length ?? 0) < 50) problems.push(`${name} has no list of what it holds`);
  }
  const around = await startSurroundings(home, report);
  const started: ChildProcess[] = [];
  try {
    const data = await shareHost(home);
    const { TEMPORAL_ADDRESS, DATABASE_URL } = around.env as { TEMPORAL_ADDRESS: string; DATABASE_URL: string };
    const start = (image: Image, more: Readonly<Record<string, string>> = {}) => {
      const log = join(home, 'log', `${image.name.replace(/.*\//, '')}.log`);
      const child = startImage(image, data, { TEMPORAL_ADDRESS, DATABASE_URL, ...more }, log);
      started.push(child);
      return child;
    };
    const startWorker = async () => {
      const port = await choosePort();
      const child = start(images.worker, { REEVE_METRICS_PORT: String(port), REEVE_METRICS_HOST: '127.0.0.1' });
      await untilReady(port, child);
      return child;
    };
    const [code] = (await once(start(images.prepare), 'exit')) as [number | null];
    if (code !== 0) return [...problems, `prepare has ended with ${code}`];
    const first = await startWorker();
    await startWorker();
    const port = await choosePort();
    const service = start(images.service, { REEVE_API_PORT: String(port), REEVE_API_HOST: '127.0.0.1' });
    await untilReady(port, service);
    problems.push(...(await examine(first.pid!)));

    const records = new Records(`http://127.0.0.1:${port}`);
    const key = (index: number) => `image-${index}`;
    const creating = forAll(NAMES, CALLERS, (index) => records.create(key(index)));
    await untilAsked(records, 10);
    problems.push(...(await drain('worker', first, report)));
    const third = await startWorker();
    await untilAsked(records, 30);
    third.kill('SIGKILL');
    await creating;
    await forAll(NAMES, CALLERS, (index) => records.read(key(index), ['Ready']));
    report(
      `${NAMES} entities were created while a worker was drained and another one killed; slowest answer ${records.seen.slowestMs} ms`,
    );
    const asked = forAll(CALLERS, CALLERS, (index) => records.create(`last-${index}`));
    await untilAsked(records, 2 * NAMES + CALLERS);
    await delay(100);
    problems.push(...(await drain('service', service, report)));
    await asked;
    return [...problems, ...records.seen.wrong];
  } finally {
    for (const child of started) child.kill('SIGKILL');
    await around.stop();
  }
}

/** A folder for the data of the images, with how the resource host is reached. */
async function shareHost(home: string): Promise<string> {
  const data = join(home, 'image-data');
  await mkdir(join(data, 'resources'), { recursive: true });
  for (let wait = 0; wait < 600 && !(await stat(hostFileOf(home)).catch(() => undefined)); wait++) await delay(100);
  await copyFile(hostFileOf(home), join(data, 'resources', 'host.json'));
  for (const path of ['', 'resources', 'resources/host.json']) {
    await chown(join(data, path), USER, USER);
    await chmod(join(data, path), 0o700);
  }
  await chmod(home, 0o711);
  return data;
}

/** Tells whether a process runs as somebody else than root, in a root file system into which nobody can write. */
async function examine(pid: number): Promise<readonly string[]> {
  const problems: string[] = [];
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  if (!new RegExp(`^Uid:\\s+${USER}\\b`, 'm').test(status)) problems.push('the worker runs as root');
  const mounts = await readFile(`/proc/${pid}/mountinfo`, 'utf8');
  const root = mounts.split('\n').find((line) => line.split(' ')[4] === '/');
  if (!root || !root.split(' ')[5]!.split(',').includes('ro'))
    problems.push(`the root of the worker can be written to: ${root}`);
  return problems;
}

/** Ends a process as a platform does, and says what is wrong with how it ends. */
async function drain(
  what: 'worker' | 'service',
  child: ChildProcess,
  report: (line: string) => void,
): Promise<readonly string[]> {
  const since = Date.now();
  child.kill('SIGTERM');
  const force = setTimeout(() => child.kill('SIGKILL'), DRAINS_WITHIN_MS[what]);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(force);
  report(`a ${what} was drained within ${((Date.now() - since) / 1_000).toFixed(1)} s`);
  return code === 0 ? [] : [`the ${what} has ended with ${code ?? signal}`];
}

async function untilReady(port: number, child: ChildProcess): Promise<void> {
  for (let wait = 0; wait < 600; wait++) {
    if (child.exitCode !== null) throw new Error(`it has ended with ${child.exitCode} instead of starting`);
    const answer = await fetch(`http://127.0.0.1:${port}/health/ready`).catch(() => undefined);
    if (answer?.ok) return;
    await delay(200);
  }
  throw new Error('it is not ready within two minutes');
}

async function untilAsked(records: Records, count: number): Promise<void> {
  while (records.seen.asked < count) await delay(50);
}
