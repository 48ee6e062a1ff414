import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const RUN = fileURLToPath(new URL('../../../../tools/deployment/images/run.sh', import.meta.url));
const BASE = fileURLToPath(new URL('../../../../tools/deployment/images/base.sh', import.meta.url));
const ENV = { ...process.env, BUILDAH_ISOLATION: 'chroot', STORAGE_DRIVER: 'vfs' };

/** An image as it was built. */
export interface Image {
  readonly name: string;
  /** Its root file system, mounted. */
  readonly root: string;
  readonly megabytes: number;
  readonly user: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly env: readonly string[];
  readonly command: readonly string[];
}

export async function buildah(...args: readonly string[]): Promise<string> {
  const { stdout } = await run('buildah', [...args], { env: ENV, maxBuffer: 64_000_000 });
  return stdout.trim();
}

/** Makes the image from which the Dockerfile begins out of this machine, unless it is there or can be pulled. */
export async function provideBase(name: string, folder: string, report: (line: string) => void): Promise<void> {
  if (
    await buildah('inspect', '--type', 'image', name).then(
      () => true,
      () => false,
    )
  )
    return;
  if (
    await buildah('pull', '--quiet', name).then(
      () => true,
      () => false,
    )
  )
    return;
  report(`${name} cannot be pulled, so it is made of this machine's Debian and Node`);
  await run('sh', [BASE, name, folder], { env: ENV });
}

export async function buildImage(target: string, node: string): Promise<Image> {
  const name = `localhost/reeve-${target}`;
  const file = ['-f', 'infra/container/Dockerfile'];
  await buildah(
    ...[
      'bud',
      '--pull=never',
      '--layers',
      '--build-arg',
      `NODE_VERSION=${node}`,
      '--target',
      target,
      '-t',
      name,
      ...file,
      '.',
    ],
  );
  const container = await buildah('from', '--pull-never', name);
  const root = await buildah('mount', container);
  const described = JSON.parse(await buildah('inspect', '--type', 'image', name)) as {
    readonly OCIv1: {
      readonly config: Record<'Env' | 'Entrypoint' | 'Cmd', string[]> & {
        User: string;
        Labels: Record<string, string>;
      };
    };
  };
  const { User: user, Labels: labels, Env: env, Entrypoint: entry, Cmd: command } = described.OCIv1.config;
  const { stdout } = await run('du', ['-sm', root]);
  return { name, root, megabytes: Number.parseInt(stdout, 10), user, labels, env, command: [...entry, ...command] };
}

/** Starts an image as a platform does: with a read-only root, as its user, with the variables of the image and these. */
export function startImage(
  { root, user, env, command }: Image,
  data: string,
  variables: Readonly<Record<string, string>>,
  logFile: string,
): ChildProcess {
  const child = spawn('unshare', ['--mount', 'sh', RUN, root, data, user.split(':')[0]!, ...command], {
    env: {
      PATH: process.env['PATH'],
      ...Object.fromEntries(env.map((pair) => pair.split(/=(.*)/s) as [string, string])),
      ...variables,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile, { flags: 'a' });
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  return child;
}
