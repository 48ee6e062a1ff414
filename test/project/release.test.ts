import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const execute = promisify(execFile);
/** Nothing of the machine's own settings: they may sign commits, or run hooks. */
const GIT = {
  ...{
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b.example',
  },
  ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.example' },
};
const TODAY = new Date().toISOString().slice(0, 10);
const SMALL = {
  ...{ name: 'small', version: '0.1.0', type: 'module', license: 'MIT' },
  ...{ exports: { '.': './dist/index.js' }, files: ['dist/index.*', 'CHANGELOG.md', 'docs'] },
};
const FILES: Readonly<Record<string, string>> = {
  '.gitignore': 'dist/\n',
  'package.json': JSON.stringify(SMALL),
  'package-lock.json': JSON.stringify({ name: 'small', version: '0.1.0', lockfileVersion: 3, packages: { '': SMALL } }),
  'README.md': '[a page](docs/projects.md#here), [all](docs/), [another site](https://b.example/c.md)\n',
  LICENSE: 'MIT\n',
  'CHANGELOG.md': '# Changes\n\n## 0.1.0, not released\n\nThe first version.\n',
  'docs/projects.md': '`small-0.1.0.tgz` and 10.1.0.0\n',
  'dist/index.js': 'export const one = 1;\n',
  'dist/index.d.ts': 'export declare const one = 1;\n',
};

it('the package can be released: its pages, types and links are in it, and its pages name its version (S3.9)', async () => {
  const folder = await emptyFolder();
  const { files, version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as Described;
  const packed = files.map((path) => path.split('*')[0]!).filter((path) => !/^!|^infra|^docs|^dist.guide/.test(path));
  for (const path of [
    ...packed,
    'infra',
    'docs',
    'package.json',
    'package-lock.json',
    'README.md',
    'LICENSE',
    '.gitignore',
  ])
    await cp(join(ROOT, path), join(folder, path), { recursive: true, filter: (file) => !file.endsWith('.js.map') });
  // `npm run release` builds it, which takes ten seconds.
  await mkdir(join(folder, 'dist', 'guide'));
  await writeFile(join(folder, 'dist', 'guide', 'index.html'), '');
  const changelog = join(folder, 'CHANGELOG.md');
  const changes = await readFile(changelog, 'utf8');
  // There is none until the first change after a release.
  if (!/not released$/m.test(changes))
    await writeFile(changelog, changes.replace('## ', '## Next, not released\n\nA change.\n\n## '));
  const { git, release } = await repository(folder);

  const { code, stdout, stderr } = await release('9.0.0', '--dry-run');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('./dist/release/reeve-9.0.0.tgz: ');
  // It changes all of these at a release.
  for (const path of ['package-lock.json', 'CHANGELOG.md', 'docs/guides/projects.md', 'infra/container/Dockerfile'])
    expect(stdout).toContain(` ${path}`);
  expect(await git('status', '--porcelain')).toBe('');
  expect(await git('tag')).toBe('');
  await execute('tar', ['xzf', join('dist', 'release', 'reeve-9.0.0.tgz')], { cwd: folder });
  const text = (path: string) => readFile(join(folder, 'package', path), 'utf8');
  expect(JSON.parse(await text('package.json'))).toMatchObject({ version: '9.0.0' });
  expect(await text('CHANGELOG.md')).toContain(`\n## 9.0.0, ${TODAY}\n`);
  const grep = execute('grep', ['-rlF', `reeve-${version}.tgz`, 'package'], { cwd: folder });
  expect(await grep.catch((failure: object) => failure)).toMatchObject({ code: 1, stdout: '', stderr: '' });
  expect(await text('infra/kubernetes/base/kustomization.yaml')).toContain('newTag: 9.0.0');
});

it('a release versions, dates the changelog, commits and tags, and the next one waits for a change', async () => {
  const { folder, git, release } = await smallPackage();
  const first = await release('minor');
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/git push --follow-tags\n {2}npm publish \.\/dist\/release\/small-0\.1\.0\.tgz\n$/);
  expect(await git('describe', '--exact-match')).toBe('v0.1.0');
  expect(await git('status', '--porcelain')).toBe('');

  expect(await release('patch')).toMatchObject({
    code: 1,
    stderr: `CHANGELOG.md has no changes since '0.1.0, ${TODAY}': begin it with '## Next, not released'.\n`,
  });
  const changelog = await readFile(join(folder, 'CHANGELOG.md'), 'utf8');
  await writeFile(
    join(folder, 'CHANGELOG.md'),
    changelog.replace('## ', '## Next, not released\n\n### Fixes\n\nA change.\n\n## '),
  );
  await git('commit', '--all', '--message', 'A change');
  expect(await release('patch')).toMatchObject({ code: 0, stderr: '' });
  expect(await git('log', '--format=%s', '-1')).toBe('Release 0.1.1');
  expect(await git('tag')).toBe('v0.1.0\nv0.1.1');
  const text = (path: string) => readFile(join(folder, path), 'utf8');
  for (const path of ['package.json', 'package-lock.json'])
    expect(JSON.parse(await text(path))).toMatchObject({ version: '0.1.1' });
  expect(await text('CHANGELOG.md')).toBe(
    `# Changes\n\n## 0.1.1, ${TODAY}\n\n### Fixes\n\nA change.\n\n## 0.1.0, ${TODAY}\n\nThe first version.\n`,
  );
  expect(await text('docs/projects.md')).toBe('`small-0.1.1.tgz` and 10.1.0.0\n');
});

it('a release says at once all that is in its way, and changes nothing', async () => {
  const { folder, git, release } = await smallPackage({ 'CHANGELOG.md': '## Next, not released\n\n### Fixes\n' });
  await git('tag', 'v0.0.9');
  await git('switch', '--create', 'other');
  await writeFile(join(folder, 'README.md'), 'changed\n');
  expect(await release('0.0.9')).toEqual({
    code: 1,
    stdout: '',
    stderr: [
      `A release is made on main, and this is other: run 'git switch main'.`,
      'Commit these changes first:\n M README.md',
      '0.0.9 is not newer: 0.0.0 is the last release in CHANGELOG.md, and package.json has 0.1.0.',
      'The tag v0.0.9 exists: choose another version.',
      `'Next, not released' in CHANGELOG.md has no entries.`,
      '',
    ].join('\n'),
  });
});

it('a version that was released is refused', async () => {
  const { release } = await smallPackage({
    'CHANGELOG.md': '## Next, not released\n\nA change.\n\n## 0.10.0, 2026-01-01\n\nBefore.\n',
  });
  for (const version of ['0.10.0', '0.9.1'])
    expect((await release(version)).stderr).toMatch(/^0\.\d+\.\d is not newer: 0\.10\.0 is the last release/);
});

it('a package that lacks a page, types or the goal of a link is not released', async () => {
  const { git, release } = await smallPackage({
    LICENSE: undefined,
    'dist/index.d.ts': undefined,
    'README.md': '[gone](docs/gone.md) [test](test/)\n',
  });
  expect(await release('minor')).toMatchObject({
    code: 1,
    stderr: [
      `The package lacks LICENSE: see 'files' in package.json.`,
      `The package lacks dist/index.d.ts: see 'files' in package.json.`,
      `README.md links to docs/gone.md, which is not in the package: see 'files' in package.json.`,
      `README.md links to test, which is not in the package: see 'files' in package.json.`,
      '',
    ].join('\n'),
  });
  expect(await git('tag')).toBe('');
  expect(await git('status', '--porcelain')).toBe('');
});

it('a private package is released, and not to a registry', async () => {
  const { release } = await smallPackage({ 'package.json': JSON.stringify({ ...SMALL, private: true }) });
  const { code, stdout } = await release('minor');
  expect([code, stdout]).toEqual([
    0,
    expect.stringContaining('npm will not publish small: package.json says "private"'),
  ]);
  expect(stdout).not.toContain('npm publish');
});

it('what publint finds in the package prevents its release', async () => {
  const { release } = await smallPackage({ 'dist/index.js': 'module.exports = 1;\n' });
  expect(await release('minor')).toMatchObject({ code: 1, stderr: expect.stringMatching(/^publint: .*ESM/) });
});

it('a release that git does not accept says how to undo it', async () => {
  const { folder, git, release } = await smallPackage();
  await writeFile(join(folder, '.git', 'hooks', 'pre-commit'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  const { code, stderr } = await release('minor');
  const [, undo] = /'git (reset --hard \w+)' undoes it\.\n$/.exec(stderr) ?? [];
  expect([code, undo]).toEqual([1, expect.any(String)]);
  await git(...undo!.split(' '));
  expect(await git('status', '--porcelain')).toBe('');
});

it('--dry-run holds where npm has taken it for itself', async () => {
  const { git, release } = await smallPackage();
  process.env['npm_config_dry_run'] = 'true';
  onTestFinished(() => void delete process.env['npm_config_dry_run']);
  expect(await release('minor')).toMatchObject({ code: 0, stdout: expect.stringContaining('dry run: v0.1.0 would') });
  expect(await git('tag')).toBe('');
});

it.each([[[]], [['next']], [['1.0']], [['1.0.0', '1.1.0']], [['minor', '--force']]])(
  'release %j is answered by how it is used',
  async (args) => {
    const { release } = await smallPackage();
    expect(await release(...args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('usage: npm run release'),
    });
  },
);

interface Described {
  readonly version: string;
  readonly files: readonly string[];
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-released-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A package in a repository of its own. Files can be replaced or left out. */
async function smallPackage(others: Readonly<Record<string, string | undefined>> = {}) {
  const folder = await emptyFolder();
  for (const path of ['docs', 'dist']) await mkdir(join(folder, path));
  for (const [path, text] of Object.entries({ ...FILES, ...others }))
    if (text !== undefined) await writeFile(join(folder, path), text);
  return { folder, ...(await repository(folder)) };
}

async function repository(folder: string) {
  const run = (file: string, args: readonly string[]) =>
    execute(file, args, { cwd: folder, env: { ...process.env, ...GIT, NO_COLOR: '1' } });
  const git = async (...args: readonly string[]) => (await run('git', args)).stdout.trim();
  await git('init', '--initial-branch', 'main');
  await git('add', '.');
  await git('commit', '--message', 'All of it');
  const release = async (...args: readonly string[]) => {
    const command = run(process.execPath, [join(ROOT, 'infra', 'release.mjs'), ...args]);
    const {
      code = 0,
      stdout,
      stderr,
    } = await command.then(
      (output) => ({ code: 0, ...output }),
      (failure: { readonly code: number; readonly stdout: string; readonly stderr: string }) => failure,
    );
    return { code, stdout, stderr };
  };
  return { git, release };
}
