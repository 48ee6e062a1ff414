import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import type { Addition } from '../../src/project/additions.js';
import { initProject } from '../../src/project/init.js';

it('the tests of a new project are those that its sources have, and no compiled ones that are gone (S6.3)', async () => {
  const { parent, folder } = await newProject();
  const file = join(folder, 'package.json');
  const described = JSON.parse(await readFile(file, 'utf8')) as Described;
  // Nothing is installed: the compiler of this test makes one test, and the one of before is there.
  const build = `node -e "fs.mkdirSync('dist/test', { recursive: true }); fs.writeFileSync('dist/test/new.test.js', '')"`;
  await writeFile(file, JSON.stringify({ ...described, scripts: { ...described.scripts, build } }));
  await mkdir(join(folder, 'dist', 'test'), { recursive: true });
  await writeFile(join(folder, 'dist', 'test', 'gone.test.js'), 'throw new Error("this test is gone");');
  const tools = join(parent, 'tools');
  await mkdir(tools);
  await writeFile(join(tools, 'reeve'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });

  const env = { ...process.env, PATH: `${tools}${delimiter}${process.env['PATH']}`, NODE_OPTIONS: '' };
  const { stdout } = await promisify(execFile)('npm', ['test'], { cwd: folder, env });
  expect(stdout).toContain('new.test.js');
  expect(stdout).not.toContain('gone');
});

it('a new project has only the additions that were asked for, and its image needs none of them (Q3, S6.3)', async () => {
  const { folder } = await newProject();
  expect((await readdir(folder)).sort()).toEqual([
    '.dockerignore',
    '.gitignore',
    'Dockerfile',
    'README.md',
    'package.json',
    'src',
    'test',
    'tsconfig.json',
    'vendor',
  ]);
  expect(await readFile(join(folder, 'README.md'), 'utf8')).not.toMatch(/Kubernetes|GitHub|Lambda/);
});

it('a new project has a workflow that tests it, and manifests for its one image, not as root and read-only (Q3)', async () => {
  const { folder } = await newProject('kubernetes', 'github-actions');
  const workflow = await readFile(join(folder, '.github', 'workflows', 'ci.yaml'), 'utf8');
  const { jobs } = parseAllDocuments(workflow)[0]!.toJSON() as Workflow;
  const steps = jobs['test']!.steps.flatMap(({ run }) => run ?? []);
  expect(steps).toEqual(['npm ci', 'npm test', 'docker build -t sites .']);
  const { scripts } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Described;
  expect(scripts['test']).toContain('reeve check');

  const manifests = join(folder, 'infra', 'kubernetes');
  const files = (await readdir(manifests)).sort();
  const text = (await Promise.all(files.map((file) => readFile(join(manifests, file), 'utf8')))).join('---\n');
  const found = parseAllDocuments(text).map((document) => document.toJSON() as Manifest);
  const [kustomization] = found.filter(({ kind }) => kind === 'Kustomization');
  expect(kustomization).toMatchObject({
    namespace: 'sites',
    images: [{ name: 'sites', newName: 'registry.example/sites' }],
    resources: expect.arrayContaining(files.filter((file) => file !== 'kustomization.yaml')),
  });
  expect(found.find(({ kind }) => kind === 'Namespace')).toMatchObject({ metadata: { name: 'sites' } });
  const pods = found.flatMap(({ spec }) => spec?.template?.spec ?? []);
  expect(pods.map(({ containers }) => containers[0]!.args)).toEqual([['prepare'], ['service'], ['worker']]);
  const [, user] = /^USER (\d+):\1$/m.exec(await readFile(join(folder, 'Dockerfile'), 'utf8')) ?? [];
  for (const { containers, securityContext, volumes } of pods) {
    expect(containers).toEqual([
      expect.objectContaining({
        image: 'sites',
        securityContext: expect.objectContaining({ readOnlyRootFilesystem: true, allowPrivilegeEscalation: false }),
      }),
    ]);
    expect(securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user), runAsGroup: Number(user) });
    const writable = volumes.filter(({ emptyDir }) => emptyDir);
    expect(writable.map(({ name }) => name)).toEqual(['tmp']);
  }
  for (const [, page] of text.matchAll(/node_modules\/reeve\/([\w/.-]+\w)/g))
    await readFile(new URL(`../../${page}`, import.meta.url));
  expect(await readFile(join(folder, 'README.md'), 'utf8')).not.toContain('{{');
});

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

interface Described {
  readonly scripts: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly kind: string;
  readonly spec?: { readonly template?: { readonly spec: Pod } };
}

interface Pod {
  readonly containers: readonly { readonly args?: readonly string[] }[];
  readonly securityContext: object;
  readonly volumes: readonly { readonly name: string; readonly emptyDir?: object }[];
}

async function newProject(...additions: readonly Addition[]) {
  const parent = await mkdtemp(join(tmpdir(), 'reeve-new-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const { folder } = await initProject(join(parent, 'sites'), () => undefined, additions);
  return { parent, folder };
}
