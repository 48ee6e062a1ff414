/*
 * Runs the tests nearest to what has changed since the last commit, or since another one, for about as long as a person waits:
 * `npm run test:changed [-- COMMIT]`. It says what it leaves to others.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** How long the files may take together, by the durations of their last run, and how many run at a time. */
const BUDGET_MS = 40_000;
const AT_ONCE = 3;
/** How long a file takes that has not run yet. */
const UNKNOWN_MS = 2_000;
/** Where else the tests of a folder are. Bundles and child processes have what no test imports. */
const ALSO = {
  'src/kernel': ['test/conformance/simulator.test.ts', 'test/simulation/'],
  'src/operations': ['test/conformance/simulator.test.ts', 'test/simulation/'],
  'src/protocol': ['test/kernel/'],
  workflows: ['test/simulation/control-plane.test.ts'],
};

const [since = 'HEAD'] = process.argv.slice(2);
const changed = [
  ...git('diff', '--name-only', '--diff-filter=d', since),
  ...git('ls-files', '--others', '--exclude-standard'),
];
const durations = lastDurations();
const near = readdirSync('test', { recursive: true })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => join('test', name))
  .map((test) => ({ test, distance: distanceOf(test), ms: durations.get(test) ?? UNKNOWN_MS }))
  .filter(({ distance }) => distance !== undefined)
  .sort((one, other) => one.distance - other.distance || one.ms - other.ms);
let left = BUDGET_MS * AT_ONCE;
const chosen = near.filter(({ ms }) => ms <= left && (left -= ms) >= 0).map(({ test }) => test);
if (chosen.length === 0) {
  console.log('No test is near to what has changed.');
  process.exit(0);
}
const { status } = spawnSync(
  process.execPath,
  ['node_modules/.bin/vitest', 'run', '--project', 'pure', '--project', 'services', ...chosen],
  { stdio: 'inherit' },
);
const rest = near.length - chosen.length;
if (rest > 0)
  console.log(`${rest} other files with tests are near to what has changed: npm test and npm run test:long run them.`);
process.exit(status ?? 1);

/** 0 for a test that has changed or imports what has, 1 for one in the folder of what has changed; nothing for all others. */
function distanceOf(test) {
  const imports = [...readFileSync(test, 'utf8').matchAll(/'(\.[^']+)\.js'/g)].map(([, path]) =>
    relative('.', resolve(dirname(test), path)),
  );
  if (changed.some((file) => file === test || imports.includes(file.replace(/\.tsx?$/, '')))) return 0;
  return changed.some((file) => foldersOf(file).some((place) => test.startsWith(place))) ? 1 : undefined;
}

/** Where the tests of a file are. */
function foldersOf(file) {
  const [top, room] = file.split('/');
  if (top === 'test') return file.includes('/support/') ? [] : [`test/${room}/`];
  const folder = top === 'src' ? `src/${room}` : top;
  return [`test/${folder.replace('src/', '')}/`, ...(ALSO[folder] ?? [])];
}

/** How long each file took when it last ran, as vitest keeps it. */
function lastDurations() {
  const cache = 'node_modules/.vite/vitest';
  const files = existsSync(cache) ? readdirSync(cache).map((name) => join(cache, name, 'results.json')) : [];
  const results = files.filter(existsSync).flatMap((file) => JSON.parse(readFileSync(file, 'utf8')).results);
  return new Map(results.map(([name, { duration }]) => [name.slice(name.indexOf(':') + 1), duration]));
}

function git(...args) {
  return execFileSync('git', args, { encoding: 'utf8' }).split('\n').filter(Boolean);
}
