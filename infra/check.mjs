/*
 * `npm run check`: checks the laws of the design and the rules of the house, each with a tool. It prints a line for each, and the
 * whole output of a tool that finds something.
 */
import { spawn } from 'node:child_process';

/** Each tool keeps here what it found of unchanged files. Contents tell which these are, since a checkout changes times alone. */
const CACHE = 'node_modules/.cache/checks';
const byContent = (name) => ['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}/${name}`];
const CHECKS = [
  ['lint and purity (L2)', ['eslint', '.', '--max-warnings', '0', ...byContent('eslint')]],
  ['formatting', ['prettier', '--check', '--log-level', 'warn', '.', ...byContent('prettier')]],
  ['promises and switches', ['oxlint', '--type-aware', '--deny-warnings']],
  ['types', typesOf('tsconfig.json')],
  ['types of the page', typesOf('src/page/tsconfig.json')],
  ['types of pure code (L2)', typesOf('tsconfig.pure.json')],
  [
    'direction of imports (L1)',
    [
      ...['depcruise', '--config', '.dependency-cruiser.js'],
      ...['--cache-strategy', 'content', '--cache', `${CACHE}/imports`],
      ...['src', 'activities', 'workflows', 'workers', 'tools', 'examples'],
    ],
  ],
  ['unused code and dependencies', ['knip', '--no-progress', '--cache', '--cache-location', `${CACHE}/knip`]],
  // Of what a build has left: to pack it would take two seconds more.
  ['exports of the package', ['publint', 'run', '.', '--strict', '--pack', 'false']],
  ['guarantees and what pages refer to', ['infra/guarantees.mjs', '--check']],
  ['reference from the code', ['infra/reference.mjs', '--check']],
];

const waiting = [...CHECKS];
let failed = 0;
// Two checks run at a time, since a small machine has two cores.
await Promise.all([work(), work()]);
console.log(failed === 0 ? 'all checks passed' : `${failed} of ${CHECKS.length} checks failed`);
process.exit(failed === 0 ? 0 : 1);

/** Checks the types of what has changed and of what depends on it: the compiler keeps the rest. */
function typesOf(project) {
  const kept = `${CACHE}/${project.replaceAll('/', '-')}.tsbuildinfo`;
  return ['node_modules/typescript-native/bin/tsc', '-p', project, '--incremental', '--tsBuildInfoFile', kept];
}

async function work() {
  for (let check = waiting.shift(); check; check = waiting.shift()) {
    const [name, command] = check;
    const startedAt = Date.now();
    const { code, output } = await run(command);
    const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`);
    if (code === 0) continue;
    failed++;
    console.log(output.trim());
  }
}

function run([tool, ...args]) {
  return new Promise((resolve) => {
    const script = tool.includes('/') ? tool : `node_modules/.bin/${tool}`;
    const child = spawn(process.execPath, [script, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A compiler written in Go spends less processor time when it collects garbage less often.
      env: { GOGC: '400', ...process.env },
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('exit', (code) => resolve({ code, output }));
  });
}
