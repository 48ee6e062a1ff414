/*
 * `npm run check`: checks the laws of the design and the rules of the house, each with a tool. It prints a line for each, and the
 * whole output of a tool that finds something.
 */
import { spawn } from 'node:child_process';

const COMPILER = 'node_modules/typescript-native/bin/tsc';
const CHECKS = [
  ['types', [COMPILER, '-p', 'tsconfig.json']],
  ['types of the page', [COMPILER, '-p', 'src/page/tsconfig.json']],
  ['types of pure code (L2)', [COMPILER, '-p', 'tsconfig.pure.json']],
  ['lint and purity (L2)', ['eslint', '.', '--max-warnings', '0']],
  ['promises and switches, by their types', ['oxlint', '--type-aware', '--deny-warnings']],
  [
    'direction of imports (L1)',
    ['depcruise', '--config', '.dependency-cruiser.js', 'src', 'activities', 'workflows', 'workers', 'tools'],
  ],
  ['formatting', ['prettier', '--check', '--log-level', 'warn', '.']],
  ['unused code and dependencies', ['knip', '--no-progress']],
  ['guarantees and what pages refer to', ['infra/guarantees.mjs', '--check']],
];

const waiting = [...CHECKS];
let failed = 0;
// Two checks run at a time, since a small machine has two cores.
await Promise.all([work(), work()]);
console.log(failed === 0 ? 'all checks passed' : `${failed} of ${CHECKS.length} checks failed`);
process.exit(failed === 0 ? 0 : 1);

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
    });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('exit', (code) => resolve({ code, output }));
  });
}
