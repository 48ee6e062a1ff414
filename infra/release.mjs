/*
 * `npm run release -- patch|minor|major|X.Y.Z [--dry-run]`: releases what a build has left. It edits and packs a copy, and the clone
 * changes once the package of this copy is verified. It publishes nothing: it says what does.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const USAGE = `usage: npm run release -- patch|minor|major|X.Y.Z [--dry-run]

Sets the version, dates the head of CHANGELOG.md, packs and verifies the package, commits and tags.
It counts from the last release in CHANGELOG.md. --dry-run packs and verifies only.`;
const PACKED_TO = 'dist/release';
const CHANGES = 'CHANGELOG.md';
const PENDING = /\bnot released$/i;
// npm takes --dry-run for itself where `--` is forgotten, and hands it down to each npm that we start.
const { npm_config_dry_run: takenByNpm, ...env } = process.env;

const { asked, dryRun } = parameters();
const {
  name,
  version: own,
  private: isPrivate,
  exports,
  files: listed = [],
} = JSON.parse(readFileSync('package.json', 'utf8'));
/** Files that name the version of Reeve, besides those that npm and the changelog keep. */
const NAMING = [
  ...readdirSync('docs', { recursive: true })
    .map((file) => `docs/${file.replaceAll(sep, '/')}`)
    .filter((file) => file.endsWith('.md') && readFileSync(file, 'utf8').includes(`${name}-${own}.tgz`)),
  'infra/container/Dockerfile',
  'infra/kubernetes/base/kustomization.yaml',
].filter(existsSync);
const EDITED = ['package.json', 'package-lock.json', CHANGES, ...NAMING];
const changes = readFileSync(CHANGES, 'utf8');
const released = /^## (\d+\.\d+\.\d+), \d{4}-\d\d-\d\d$/m.exec(changes)?.[1] ?? '0.0.0';
const version = versionAfter(released, asked);
const tag = `v${version}`;
const date = new Date().toISOString().slice(0, 10);
const copy = mkdtempSync(join(tmpdir(), 'reeve-release-'));
try {
  if (!foundAny(refusals())) await release();
} finally {
  rmSync(copy, { recursive: true, force: true });
}

async function release() {
  for (const path of new Set([...pack('.', '--dry-run').files, ...EDITED])) cpSync(path, join(copy, path));
  edit();
  mkdirSync(PACKED_TO, { recursive: true });
  const { filename, files, size } = pack(copy, '--pack-destination', join(process.cwd(), PACKED_TO));
  const tarball = `./${PACKED_TO}/${filename}`;
  if (foundAny(await defects(tarball, files))) return;
  console.log(`${tarball}: ${files.length} files, ${(size / 1e6).toFixed(1)} MB, verified`);
  if (dryRun) console.log(`dry run: ${tag} would change ${EDITED.join(', ')}`);
  else if (foundAny(commit())) return;
  console.log(`\n${dryRun ? 'After a release' : 'Next'}:\n  git push --follow-tags`);
  if (!isPrivate) console.log(`  npm publish ${tarball}`);
  else
    console.log(
      `\nnpm will not publish ${name}: package.json says "private". Delete that before a release to a registry.`,
    );
}

function parameters() {
  try {
    const options = { 'dry-run': { type: 'boolean' }, help: { type: 'boolean' } };
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    if (positionals.length === 1 && /^(patch|minor|major|(0|[1-9]\d*)(\.(0|[1-9]\d*)){2})$/.test(positionals[0]))
      return { asked: positionals[0], dryRun: values['dry-run'] ?? takenByNpm === 'true' };
  } catch (error) {
    console.error(error.message);
  }
  console.error(USAGE);
  process.exit(2);
}

function versionAfter(last, wanted) {
  const [major, minor, patch] = last.split('.').map(Number);
  const steps = { major: [major + 1, 0, 0], minor: [major, minor + 1, 0], patch: [major, minor, patch + 1] };
  return steps[wanted]?.join('.') ?? wanted;
}

/** @returns a number below, at or above 0, as the first version is older, the same or newer */
function compare(one, other) {
  const numbers = other.split('.').map(Number);
  const differences = one.split('.').map((number, index) => Number(number) - numbers[index]);
  return differences.find((difference) => difference !== 0) ?? 0;
}

/** Everything in the clone that is in the way of this release. */
function refusals() {
  const [head, ...lines] = sectionOfHead().split('\n');
  const branch = git('branch', '--show-current');
  const uncommitted = git('status', '--porcelain');
  return [
    branch !== 'main' && `A release is made on main, and this is ${branch || 'no branch'}: run 'git switch main'.`,
    uncommitted && `Commit these changes first:\n${uncommitted}`,
    (compare(version, released) <= 0 || compare(version, own) < 0) &&
      `${version} is not newer: ${released} is the last release in ${CHANGES}, and package.json has ${own}.`,
    git('tag', '--list', tag) && `The tag ${tag} exists: choose another version.`,
    !PENDING.test(head) && `${CHANGES} has no changes since '${head}': begin it with '## Next, not released'.`,
    PENDING.test(head) && !lines.some((line) => /^[^#\s]/.test(line)) && `'${head}' in ${CHANGES} has no entries.`,
  ].filter(Boolean);
}

/** The newest section of the changelog, without its `## `. */
function sectionOfHead() {
  return changes.split(/^## /m, 2)[1] ?? '';
}

function edit() {
  npm(copy, 'version', version, '--no-git-tag-version', '--allow-same-version');
  const [head] = sectionOfHead().split('\n');
  writeFileSync(join(copy, CHANGES), changes.replace(`## ${head}\n`, `## ${version}, ${date}\n`));
  const old = new RegExp(`(?<![\\d.])${own.replaceAll('.', '\\.')}(?!\\.?\\d)`, 'g');
  for (const path of NAMING) writeFileSync(join(copy, path), readFileSync(path, 'utf8').replace(old, version));
}

/** Everything that a user of the package would miss. */
async function defects(tarball, files) {
  const { buffer } = Uint8Array.from(readFileSync(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: buffer } });
  const types = Object.values(exports).map((path) => posix.normalize(path).replace(/\.js$/, '.d.ts'));
  const site = listed.includes('dist/guide') ? ['dist/guide/index.html'] : [];
  const missing = ['README.md', 'LICENSE', CHANGES, ...site, ...types].filter((path) => !files.includes(path));
  return [
    ...messages.filter(({ type }) => type === 'error').map((message) => `publint: ${formatMessage(message, pkg)}`),
    ...missing.map((path) => `The package lacks ${path}: see 'files' in package.json.`),
    // The templates of `reeve init` link from their place in a project.
    ...files.filter((path) => /^(?!infra\/).*\.md$/.test(path)).flatMap((page) => deadLinks(page, files)),
  ];
}

function deadLinks(page, files) {
  const links = [...readFileSync(join(copy, page), 'utf8').matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)];
  return links
    .filter(([, link]) => !/^\w+:/.test(link))
    .map(([, link]) => posix.join(posix.dirname(page), link).replace(/\/$/, ''))
    .filter((path) => !files.some((file) => file === path || file.startsWith(`${path}/`)))
    .map((path) => `${page} links to ${path}, which is not in the package: see 'files' in package.json.`);
}

/** @returns the one thing that went wrong, if any */
function commit() {
  const before = git('rev-parse', '--short', 'HEAD');
  try {
    for (const path of EDITED) cpSync(join(copy, path), path);
    git('commit', '--quiet', '--all', '--message', `Release ${version}`);
    // Annotated: `git push --follow-tags` pushes no other ones.
    git('tag', '--annotate', tag, '--message', `${name} ${version}`);
  } catch (error) {
    return [`${error.message}\nThe release is half done: 'git reset --hard ${before}' undoes it.`];
  }
  console.log(`committed and tagged as ${tag}: ${EDITED.join(', ')}`);
  return [];
}

function foundAny(problems) {
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  return problems.length > 0;
}

/** Packs a folder. @returns the description of the package, with the paths of its files */
function pack(folder, ...options) {
  const [described] = Object.values(JSON.parse(npm(folder, 'pack', '--json', ...options)));
  return { ...described, files: described.files.map(({ path }) => path) };
}

function npm(folder, ...args) {
  const options = { cwd: folder, env, shell: process.platform === 'win32', encoding: 'utf8', maxBuffer: 2 ** 26 };
  return execFileSync('npm', [...args, '--ignore-scripts', '--loglevel', 'error'], options);
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).trimEnd();
}
