import { chmod, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import { execFile } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findTemporalExecutable } from '../../src/stack/temporal-executable.js';
import { TEMPORAL_VERSION } from '../../src/stack/temporal-version.js';
import { temporaryFolder } from './folder.js';

const run = promisify(execFile);
const NOBODY = 'http://127.0.0.1:1';

/** A machine of its own: its PATH, its cache, and where it downloads from. */
async function machine(downloadOrigin = NOBODY) {
  const root = await temporaryFolder();
  const bin = join(root, 'bin');
  await mkdir(bin);
  const cached = join(root, 'cache', 'reeve', 'temporal', TEMPORAL_VERSION, 'temporal');
  const lines: string[] = [];
  const env: NodeJS.ProcessEnv = { PATH: bin, XDG_CACHE_HOME: join(root, 'cache') };
  const find = (more: NodeJS.ProcessEnv = {}) =>
    findTemporalExecutable({ env: { ...env, ...more }, report: (line) => lines.push(line), downloadOrigin });
  return { root, bin, cached, lines, find };
}

async function put(path: string, script: string): Promise<string> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
  return path;
}

const temporal = (version: string) => `echo "temporal version ${version} (Server 1.31.2, UI 2.50.1)"`;

/** A `go` that "builds" a working executable at what `-o` says, and counts its runs. */
const workingGo = (counter: string) => `
echo run >> ${counter}
while [ "$1" != -o ]; do shift; done
/bin/cat > "$2" <<'END'
#!/bin/sh
${temporal(TEMPORAL_VERSION)}
END
/bin/chmod +x "$2"`;

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('the Temporal executable is', () => {
  it('the one that TEMPORAL_EXECUTABLE names, before all others', async () => {
    const { root, bin, find } = await machine();
    await put(join(bin, 'temporal'), temporal('1.9.0'));
    const given = await put(join(root, 'given'), temporal('1.5.0'));
    expect(await find({ TEMPORAL_EXECUTABLE: given })).toBe(given);
  });

  it('no other one when the named one cannot be used', async () => {
    const { root, bin, find } = await machine();
    await put(join(bin, 'temporal'), temporal('1.9.0'));
    const given = join(root, 'missing');
    await expect(find({ TEMPORAL_EXECUTABLE: given })).rejects.toThrow(`TEMPORAL_EXECUTABLE: there is no ${given}`);
  });

  it('the one on the PATH, before the cache', async () => {
    const { bin, cached, find } = await machine();
    const onPath = await put(join(bin, 'temporal'), temporal('1.9.0'));
    await put(cached, temporal(TEMPORAL_VERSION));
    expect(await find()).toBe(onPath);
  });

  it.each([
    ['too old', temporal('1.4.9'), 'is 1.4.9, which is too old: it has to be 1.5 or newer'],
    ['broken', 'exit 3', 'failed'],
    ['something else', 'echo hello', 'not the output of the Temporal CLI'],
  ])('the one in the cache when that on the PATH is %s, and it says why', async (_, script, reason) => {
    const { bin, cached, lines, find } = await machine();
    await put(join(bin, 'temporal'), script);
    await put(cached, temporal('0.0.0-DEV'));
    expect(await find()).toBe(cached);
    expect(lines.join('\n')).toContain(reason);
  });

  it('downloaded when the cache has none that works, and kept there', async () => {
    const archived = await temporaryFolder();
    await put(join(archived, 'temporal'), temporal(TEMPORAL_VERSION));
    await run('tar', ['-czf', join(archived, 'archive.tar.gz'), '-C', archived, 'temporal']);
    const archive = await readFile(join(archived, 'archive.tar.gz'));
    const asked: string[] = [];
    const origin = await serve((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/archive') return response.end(archive);
      response.end(JSON.stringify({ archiveUrl: `${origin}/archive`, fileToExtract: 'temporal' }));
    });
    const { cached, find } = await machine(origin);
    await put(cached, 'exit 1');
    // `tar` is looked for with the PATH of this process.
    expect(await find()).toBe(cached);
    expect(asked[0]).toMatch(
      new RegExp(`^/cli/v${TEMPORAL_VERSION}\\?arch=(amd64|arm64)&platform=\\w+&format=tar.gz$`),
    );
    expect(await find()).toBe(cached);
    expect(asked).toHaveLength(2);
  });

  it('built with Go when nothing can be downloaded, and leaves nothing but itself in the cache', async () => {
    const { root, bin, cached, lines, find } = await machine();
    await put(join(bin, 'go'), workingGo(join(root, 'runs')));
    expect(await find()).toBe(cached);
    expect(lines.join('\n')).toMatch(/building Temporal .* with Go: 3 to 6 minutes.*\nbuilt Temporal in \d+ s/);
    expect((await readdir(join(cached, '..'))).sort()).toEqual(['lock', 'temporal']);
  });

  it('built once when several want it at the same time', async () => {
    const { root, bin, cached, find } = await machine();
    await put(join(bin, 'go'), workingGo(join(root, 'runs')));
    expect(await Promise.all([find(), find(), find()])).toEqual([cached, cached, cached]);
    expect((await readFile(join(root, 'runs'), 'utf8')).trim().split('\n')).toHaveLength(1);
  });
});

describe('when there is no Temporal executable', () => {
  it('one error lists each attempt with its reason, and what to do', async () => {
    const { bin, find } = await machine();
    await put(join(bin, 'go'), 'echo "go: no route to the module proxy" >&2; exit 1');
    const message = await find().catch((error: Error) => error.message);
    expect(message).toContain(`on the PATH: there is no 'temporal' command`);
    expect(message).toContain('in the cache: there is no ');
    expect(message).toContain('download: http://127.0.0.1:1');
    expect(message).toContain('build with Go: go build: go: no route to the module proxy');
    expect(message).toContain('TEMPORAL_EXECUTABLE');
    expect(message).toContain('TEMPORAL_ADDRESS');
  });

  it('a missing Go is called that', async () => {
    const { find } = await machine();
    await expect(find()).rejects.toThrow(`build with Go: there is no 'go' command`);
  });

  it('a host that does not answer holds nobody up for long', async () => {
    const { find } = await machine(await serve(() => undefined));
    const startedAt = Date.now();
    await expect(find()).rejects.toThrow(/download: .*timeout/);
    expect(Date.now() - startedAt).toBeLessThan(9_000);
  });

  it.each([
    [
      'is not found',
      (_: unknown, response: { writeHead(code: number): { end(): void } }) => response.writeHead(404).end(),
    ],
    ['is something else', (_: unknown, response: { end(text: string): void }) => response.end('{}')],
  ])('a download that %s is said to be so', async (_, listener) => {
    const { find } = await machine(await serve(listener as RequestListener));
    await expect(find()).rejects.toThrow(/download: .*(404|does not contain the address)/);
  });
});

it('the pinned manifest builds the version that the cache is named after', async () => {
  const manifest = await readFile(new URL('../../infra/temporal/go.mod', import.meta.url), 'utf8');
  expect(manifest).toContain(`github.com/temporalio/cli v${TEMPORAL_VERSION}\n`);
});
