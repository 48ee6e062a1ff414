/*
 * `npm run simulate`: simulates generated machines, the reference control plane and more with many seeds, and tells the first
 * seed with which an invariant is broken.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DrawnTable } from './simulation/drawn-table.js';
import { readOptions, USAGE, type Options } from './simulation/options.js';
import { plant } from './simulation/plant.js';
import type { PlantedBug } from './simulation/planted-bug.js';
import { PLANTED_BUGS } from './simulation/planted-bugs.js';
import { SeedProcesses } from './simulation/seed-processes.js';
import type { Done, Found, Work } from './simulation/seed-process.js';
import { PARTS, SUBJECTS, type Subject } from './simulation/subject.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SCRIPT = fileURLToPath(new URL('simulation/seed-process.js', import.meta.url));
const PROCESSES = 2;
/** The subjects whose code no other simulation runs: it lies in a folder of this name. */
const OWN_WORLDS: readonly Subject[] = ['components', 'distributed', 'anything'];
/** How many seeds a process takes at a time. */
const PIECE = 50;

try {
  process.exitCode = await run(readOptions(process.argv.slice(2)));
} catch (thrown) {
  if (!(thrown instanceof TypeError)) throw thrown;
  console.error(`${thrown.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function run(options: Options | undefined): Promise<number> {
  if (!options) {
    console.log(USAGE);
    return 0;
  }
  if (options.planted) return findPlanted(options);
  if (options.seed !== undefined) return showSeed(options.seed, options.subjects);
  return findAny(options);
}

/** Simulates with all seeds. Stops at the first violation. */
async function findAny({ seeds, subjects }: Options): Promise<number> {
  const startedAt = Date.now();
  const totals = { seeds: 0, steps: 0 };
  const table = new DrawnTable();
  const all = subjects.length > 1;
  const works = subjects.flatMap((subject) => pieces(subject, all ? Math.ceil(seeds * PARTS[subject]) : seeds));
  const wanted = works.reduce((sum, { count }) => sum + count, 0);
  const found = await search(SCRIPT, works, ({ seeds: done, steps, drawn }) => {
    totals.seeds += done;
    totals.steps += steps;
    table.add(drawn);
    const perSecond = totals.seeds / ((Date.now() - startedAt) / 1_000);
    const left = `${totals.seeds} of ${wanted} simulations`;
    if (process.stderr.isTTY) process.stderr.write(`\r${left}, ${perSecond.toFixed(0)} in a second `);
  });
  if (process.stderr.isTTY) process.stderr.write('\n');
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
  if (!all && subjects.includes('anything')) console.log(table.lines().join('\n'));
  if (!found) {
    console.log(`${totals.seeds} simulations, ${totals.steps} steps, no violation, in ${seconds} s`);
    return 0;
  }
  console.log(`${found.message}\n\nTo see it again: npm run simulate -- --only ${found.subject} --seed ${found.seed}`);
  return 1;
}

/** Simulates with one seed, and shows everything that happened. */
async function showSeed(seed: number, subjects: readonly Subject[]): Promise<number> {
  for (const subject of subjects) {
    try {
      const { trace } = await SUBJECTS[subject](seed);
      console.log(`${subject}, seed ${seed}: no violation.\n${trace.join('\n')}`);
    } catch (thrown) {
      if (!(thrown instanceof Error && 'trace' in thrown && Array.isArray(thrown.trace))) throw thrown;
      console.log(`${thrown.trace.join('\n')}\n\n${subject}: ${thrown.message.split('\nSeed ')[0]}`);
      return 1;
    }
  }
  return 0;
}

/** Looks for each planted bug, in a copy of the code of its own. */
async function findPlanted({ seeds, subjects, bug: wanted = '' }: Options): Promise<number> {
  const bugs = PLANTED_BUGS.filter((bug) => bug.name.includes(wanted) && runIn(bug, subjects).length > 0);
  if (bugs.length === 0) throw new TypeError(`No planted bug has '${wanted}' in its name.`);
  let missed = 0;
  for (const bug of bugs) {
    const startedAt = Date.now();
    const found = await findBug(bug, runIn(bug, subjects), seeds);
    const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1);
    if (!found) missed++;
    const what = found ? `seed ${found.seed} of ${found.subject}: ${found.invariant}` : `NOT FOUND in ${seeds} seeds`;
    console.log(`${bug.name.padEnd(48)} ${what} (${seconds} s)`);
  }
  console.log(`${bugs.length - missed} of ${bugs.length} planted bugs were found`);
  return missed === 0 ? 0 : 1;
}

/** The simulations that run the code with the bug in it: some rooms are worlds of their own. */
function runIn({ file, by }: PlantedBug, subjects: readonly Subject[]): readonly Subject[] {
  if (by) return subjects.filter((subject) => by.includes(subject));
  const own = OWN_WORLDS.find((subject) => file.startsWith(`${subject}/`));
  return subjects.filter((subject) => (own ? subject === own : !OWN_WORLDS.includes(subject)));
}

async function findBug(bug: PlantedBug, subjects: readonly Subject[], seeds: number): Promise<Found | undefined> {
  const script = join(await plant(bug, ROOT), 'tools', 'simulation', 'seed-process.js');
  const works = subjects.map((subject) => pieces(subject, seeds));
  const inTurns = works[0]!.flatMap((_, index) => works.map((each) => each[index]!));
  const found = await search(script, inTurns);
  if (!found) return undefined;
  const alone: readonly Work[] = [{ subject: found.subject, from: found.seed, count: 1 }];
  const sound = await search(SCRIPT, alone);
  if (sound) {
    throw new Error(`Seed ${found.seed} of ${found.subject} fails without any planted bug:\n${sound.message}`);
  }
  const again = await search(script, alone);
  if (again?.message === found.message) return found;
  throw new Error(
    `Seed ${found.seed} of ${found.subject} does not replay: first\n${found.message}\nthen\n${again?.message}`,
  );
}

/** The seeds from 1 on, in pieces. */
function pieces(subject: Subject, seeds: number): readonly Work[] {
  const works: Work[] = [];
  for (let from = 1; from <= seeds; from += PIECE)
    works.push({ subject, from, count: Math.min(PIECE, seeds - from + 1) });
  return works;
}

/** Gives the violation that a process finds first. */
async function search(
  script: string,
  works: readonly Work[],
  progress: (done: Done) => void = () => undefined,
): Promise<Found | undefined> {
  const processes = new SeedProcesses(script, PROCESSES);
  let first: Found | undefined;
  try {
    await processes.perform(works, (done) => {
      progress(done);
      first ??= done.found;
      return first ? 'stop' : 'go on';
    });
  } finally {
    processes.end();
  }
  return first;
}
