import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { compareParts } from '../../src/project/parts.js';
import { Project } from '../../src/project/project.js';
import { ProjectError, together } from '../../src/project/project-error.js';

/** A project with these files. */
async function projectOf(reeve: unknown, files: Readonly<Record<string, string>> = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-project-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries({ 'package.json': JSON.stringify({ reeve }), ...files })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return folder;
}

async function mistakesOf(work: Promise<unknown>) {
  const thrown: unknown = await work.catch((reason: unknown) => reason);
  expect(thrown).toBeInstanceOf(ProjectError);
  return (thrown as ProjectError).mistakes;
}

const A_SITE = `export const Site = { name: 'Site', states: {}, actions: {}, dimensions: {} };
export const pages = { name: 'pages', calls: {} };`;

it('all that is wrong in the settings is told at once, with place and remedy (S3.9)', async () => {
  const folder = await projectOf({ definitions: 5, workflow: 'x.js', module: { name: 'My Plane', version: 0 } });
  const file = join(folder, 'package.json');
  const module = 'Name the name and version in the addresses of the entities, like { "name": "garden", "version": 1 }.';
  expect(await mistakesOf(Project.find(folder))).toEqual(
    expect.arrayContaining([
      {
        place: `${file}: reeve.definitions`,
        problem: 'is 5',
        remedy: 'Name the module that exports the entities, like "dist/definitions.js".',
      },
      { place: `${file}: reeve.module.name`, problem: 'is "My Plane"', remedy: module },
      { place: `${file}: reeve.module.version`, problem: 'is 0', remedy: module },
      {
        place: `${file}: reeve.workflow`,
        problem: 'is no setting',
        remedy: expect.stringMatching(/definitions, components, distributed, workflows.* Did you mean 'workflows'\?$/),
      },
    ]),
  );
});

it('a setting that names TypeScript is told to name what is made of it (S3.9)', async () => {
  const folder = await projectOf({ definitions: 'src/definitions.ts' });
  expect(await mistakesOf(Project.find(folder))).toEqual([
    {
      place: `${join(folder, 'package.json')}: reeve.definitions`,
      problem: 'is "src/definitions.ts", which is TypeScript',
      remedy: 'Name its compiled file: the module that exports the entities, like "dist/definitions.js".',
    },
  ]);
});

it('all that is wrong in the modules is told at once (S3.9)', async () => {
  const settings = { definitions: 'gone.js', components: 'empty.mjs', resources: 'empty.mjs', worker: 'empty.mjs' };
  const folder = await projectOf(settings, { 'empty.mjs': 'export {};' });
  const project = await Project.find(folder);
  const asked = [project.declared(), project.resources(), project.openWorker(), project.builtBundle()];
  expect((await mistakesOf(together(asked))).map(({ place, problem }) => [place, problem])).toEqual([
    [join(folder, 'gone.js'), expect.stringMatching(/^cannot be loaded: /)],
    [join(folder, 'empty.mjs'), 'exports no component'],
    [join(folder, 'empty.mjs'), 'exports no resource'],
    [join(folder, 'empty.mjs'), 'has no default export that is a function'],
    [join(folder, 'package.json'), 'names no workflows'],
  ]);
});

it('is found from a folder below, with its files, module and task queue (S3.9)', async () => {
  const settings = { definitions: 'site.mjs', module: { name: 'garden', version: 2 }, taskQueue: 'green' };
  const folder = await projectOf(settings, { 'site.mjs': A_SITE, 'a/b/c.txt': '' });
  const project = await Project.find(join(folder, 'a', 'b'));
  expect(await project.modules()).toMatchObject([
    { name: 'garden', version: 2, entities: [{ name: 'Site' }], resources: [{ name: 'pages' }] },
  ]);
  expect([project.folder, project.taskQueue({}), project.taskQueue({ REEVE_TASK_QUEUE: 'blue' })]).toEqual([
    ...[folder, 'green', 'blue'],
  ]);
});

it('a project that only has components has no entities, and nothing is wrong with that (W1)', async () => {
  const folder = await projectOf(
    { components: 'x.mjs' },
    { 'x.mjs': 'export const x = Object.assign(() => 1, { kind: {}, handlers: {} });' },
  );
  const { entities, components } = await (await Project.find(folder)).declared();
  expect([entities.length, components.length]).toEqual([0, 1]);
});

describe('the parts of a project', () => {
  const settings = { definitions: 'site.mjs', workflows: 'workflows.mjs', resources: 'resources.mjs' };
  const workflows = (entityTypes: readonly string[], routes = {}) =>
    `export default Object.assign(async () => {}, ${JSON.stringify({ entityTypes, routes })});`;
  const definitions = `export const Site = { name: 'Site', states: {}, actions: {}, dimensions: {} };
export const Mailbox = { ...Site, name: 'Mailbox' };
export const pages = { name: 'pages', calls: { publish: {}, remove: {} } };
export const mail = { name: 'mail', calls: { send: {} } };`;
  const serving = (...calls: readonly string[]) =>
    `export const served = { ${calls.map((call) => `'${call}': () => {}`).join(', ')} };`;
  const parts = async (files: Readonly<Record<string, string>>, more: object = {}) =>
    Project.find(await projectOf({ ...settings, ...more }, { 'site.mjs': definitions, ...files }));

  it('are compared: what was forgotten in one of them is named, with its place, before anything starts (S3.9)', async () => {
    const project = await parts({
      'workflows.mjs': workflows(['Site', 'Mailboxes']),
      'resources.mjs': serving('pages.publish', 'pages.remove'),
    });
    const [site, code, resources] = Object.values(settings).map((file) => join(project.folder, file));
    expect(await mistakesOf(compareParts(project))).toEqual([
      {
        place: code,
        problem: `has no code for 'Mailbox', which ${site} declares`,
        remedy: 'Pass the result of implementActions(Mailbox, ...) to entityWorkflows(...) there, and build again.',
      },
      {
        place: site,
        problem: `does not export 'Mailboxes', but ${code} has code for it. Did you mean 'Mailbox'?`,
        remedy: `Export the result of defineEntity('Mailboxes', ...) there, and build again.`,
      },
      {
        place: resources,
        problem: `does not serve the resource 'mail', which ${site} exports`,
        remedy: 'Export the result of implementResource(mail, ...) there, and build again.',
      },
    ]);
  });

  it.each([
    ['everything is there', {}, {}, ['pages.publish', 'pages.remove', 'mail.send']],
    ['other workers make the calls of a resource', { mail: 'post' }, {}, ['pages.publish', 'pages.remove']],
    ['the code of a worker may bring more', {}, { worker: 'worker.mjs' }, ['pages.publish', 'pages.remove']],
  ])('fit together where %s (S3.9)', async (_, routes, more, calls) => {
    const files = { 'workflows.mjs': workflows(['Site', 'Mailbox'], routes), 'resources.mjs': serving(...calls) };
    await compareParts(await parts(files, more));
  });

  it('are compared with what a worker really serves, once that is known (S3.9)', async () => {
    const project = await parts({ 'workflows.mjs': workflows(['Site', 'Mailbox']) }, { worker: 'worker.mjs' });
    expect((await mistakesOf(compareParts(project, []))).map(({ problem }) => problem)).toEqual([
      expect.stringContaining(`does not serve the resource 'pages'`),
      expect.stringContaining(`does not serve the resource 'mail'`),
    ]);
  });

  it('need code that can be compared, unless there is only the bundle (S3.9)', async () => {
    const project = await parts({ 'workflows.mjs': 'export default async () => {};' });
    expect((await mistakesOf(compareParts(project))).map(({ problem }) => problem)).toEqual([
      'has no default export that entityWorkflows() has made',
    ]);
    await compareParts(await parts({}));
  });
});
