import { runMachines } from './simulation/run-seed.js';
const from = Number(process.argv[2] ?? 1),
  n = Number(process.argv[3] ?? 500);
const t = Date.now();
let steps = 0;
const found = new Map<string, { seed: number; text: string; n: number }>();
for (let seed = from; seed < from + n; seed++) {
  try {
    steps += await runMachines(seed);
  } catch (e) {
    const name = (e as { invariant?: string }).invariant ?? (e as Error).name;
    const f = found.get(name);
    if (f) f.n++;
    else
      found.set(name, {
        seed,
        text: (e as Error).message + ((e as { invariant?: string }).invariant ? '' : (e as Error).stack),
        n: 1,
      });
  }
}
console.log((Date.now() - t) / n, 'ms per seed', steps / n, 'steps');
for (const [name, { seed, text, n: k }] of found)
  console.log('\n#####', name, k, 'first seed', seed, '\n', text.slice(0, 6000));
