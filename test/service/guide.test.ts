import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import pino from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import { createApplication } from '../../src/service/application.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { Site } from '../entities/site.js';
import { rolesAndTenants } from '../support/who.js';

const START = 'document.title = "Reeve";';
const FILES: Readonly<Record<string, string>> = {
  'index.html': `<script id="start">${START}</script><script type="module" src="/guide/assets/app.1.js"></script>`,
  'start/install.html': 'Install',
  '404.html': 'no such page',
  'favicon.svg': '<svg/>',
  'assets/app.1.js': 'export {};',
};

/** A service with a guide, beside a file that nobody may read. */
async function service(files: Readonly<Record<string, string>> | undefined) {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-guide-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'secret.txt'), 'kept to itself');
  const guide = join(folder, 'guide');
  for (const [path, text] of Object.entries(files ?? {})) {
    await mkdir(join(guide, path, '..'), { recursive: true });
    await writeFile(join(guide, path), text);
  }
  const client = new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) });
  const application = createApplication({
    reeve: new ReeveClient({ client, entities: [Site] }),
    modules: [{ name: 'sites', version: 1, entities: [Site] }],
    ...{ log: pino({ level: 'silent' }), authenticator: rolesAndTenants, guide },
  });
  return async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await application.fetch(new Request(`http://127.0.0.1${path}`, { headers }));
    const told = (name: string) => answer.headers.get(name);
    return { status: answer.status, text: await answer.text(), type: told('content-type'), told };
  };
}

it('the guide is read without a key, by addresses with and without .html (S6.3)', async () => {
  const get = await service(FILES);
  for (const path of ['/guide/start/install', '/guide/start/install.html']) {
    expect(await get(path)).toMatchObject({ status: 200, text: 'Install', type: 'text/html; charset=utf-8' });
  }
  expect(await get('/guide/')).toMatchObject({ status: 200, text: FILES['index.html'] });
  const short = await get('/guide');
  expect([short.status, short.told('location')]).toEqual([302, '/guide/']);
  expect(await get('/guide/gone')).toMatchObject({ status: 404, text: 'no such page' });
});

it('the guide runs only its own scripts: inline ones by their hash (S6.3)', async () => {
  const get = await service(FILES);
  const hash = createHash('sha256').update(START).digest('base64');
  const policy = (await get('/guide/')).told('content-security-policy');
  expect(policy).toContain(`script-src 'self' 'sha256-${hash}';`);
  expect(policy).toContain("default-src 'none'");
  expect((await get('/guide/start/install')).told('content-security-policy')).toContain("script-src 'self';");
});

it('the guide is cached as the page is: what has its content in its name for ever (S6.3)', async () => {
  const get = await service(FILES);
  const cache = async (path: string) => (await get(path)).told('cache-control');
  expect(await cache('/guide/')).toBe('no-cache');
  expect(await cache('/guide/favicon.svg')).toBe('max-age=86400');
  expect(await cache('/guide/assets/app.1.js')).toContain('immutable');
  const packed = await get('/guide/', { 'accept-encoding': 'gzip' });
  expect([packed.told('content-encoding'), packed.told('vary')]).toEqual(['gzip', 'Accept-Encoding']);
});

it.each([
  '/guide/../secret.txt',
  '/guide/%2e%2e/secret.txt',
  '/guide/..%2fsecret.txt',
  '/guide/start/..%5c..%5csecret.txt',
  '/guide//../../secret.txt',
  '/guide/start/install/../../../secret.txt',
])('%s leads to no file beside the guide (S6.5)', async (path) => {
  const { status, text } = await (await service(FILES))(path);
  expect([401, 404]).toContain(status);
  expect(text).not.toContain('kept to itself');
});

it('a guide that was not built says how it is built (S6.3)', async () => {
  const get = await service(undefined);
  for (const path of ['/guide/', '/guide/start/install']) {
    expect(await get(path)).toMatchObject({
      status: 404,
      type: expect.stringMatching(/^text\/plain/i),
      text: expect.stringContaining('npm run docs'),
    });
  }
});
