/*
 * `npm run bench`: measures Reeve beside raw Temporal, in the same run on the same service.
 */
import { join } from 'node:path';
import { dataDirectoryFrom } from '../src/stack/data-directory.js';
import { CASES, TELLING } from './bench/cases/index.js';
import type { Case } from './bench/case.js';
import { buildCommit, ownCommit } from './bench/compare/build.js';
import { compareBuilds, DEFAULT_ROUNDS, type Difference } from './bench/compare/compare-builds.js';
import { keepFigures } from './bench/compare/kept-figures.js';
import { startBuild } from './bench/compare/measured-build.js';
import { formatDifferences } from './bench/compare/table.js';
import { ENCRYPTION_BUDGET, type Row } from './bench/comparison.js';
import { DISTRIBUTED, measureIndexBuild } from './bench/distributed/index-build.js';
import { describeMachine } from './bench/machine.js';
import { measure } from './bench/measure.js';
import { tellHelp } from './command-options.js';
import { chosen, readOptions, USAGE, type BenchOptions } from './bench/options.js';
import { FULL, PRECISE, QUICK } from './bench/pace.js';
import { formatPage } from './bench/page/table.js';
import { FULL_PAGE, measurePage, QUICK_PAGE } from './bench/page/trial.js';
import { profileCase } from './bench/profile-case.js';
import { startRig, type Rig } from './bench/rig.js';
import { growthsOf, type Growth } from './bench/scale/growth.js';
import { SCALE_CASES } from './bench/scale/index.js';
import { measureRates, type Rates } from './bench/waiting/rates.js';
import { formatRates, formatWaiting } from './bench/waiting/table.js';
import { KINDS } from './bench/waiting/those-who-wait.js';
import { measureWaiting, type Waiting } from './bench/waiting/trial.js';
import { formatGrowths, formatRows } from './bench/table.js';

const report = (line: string) => console.error(`  ${line}`);

tellHelp(USAGE);
try {
  process.exitCode = await run(readOptions(process.argv.slice(2)));
} catch (thrown) {
  if (!(thrown instanceof TypeError)) throw thrown;
  console.error(`${thrown.message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function run(options: BenchOptions): Promise<number> {
  if (options.profile !== undefined) return profile(options.profile, options);
  if (options.compare !== undefined) return compareWith(options.compare, options);
  if (options.only === DISTRIBUTED) return distributed(options);
  if (options.waiting !== undefined) return waiting(options.waiting, options);
  if (options.only === 'page') return page(options);
  return options.scale ? scale(options) : compareSides(options);
}

async function waiting(count: number, { json }: BenchOptions): Promise<number> {
  const all: Waiting[] = [];
  // Each kind has a service of its own, since its memory grows with all that it has seen.
  for (const kind of KINDS) {
    await withRig(async (rig) => {
      all.push(await measureWaiting(rig, kind, count, report));
      return 0;
    });
    // A kind takes long: whoever breaks off here has what was measured.
    if (all.length < KINDS.length) console.error(`\n${formatWaiting(all)}\n`);
  }
  const rates: Rates[] = [];
  for (const cached of [true, false]) {
    await withRig(async (rig) => {
      rates.push(await measureRates(rig, cached, report));
      return 0;
    });
  }
  print(json, { waiting: all, rates }, `${formatWaiting(all)}\n\n${formatRates(rates)}`);
  return 0;
}

async function compareWith(commit: string, { only, rounds = DEFAULT_ROUNDS, json }: BenchOptions): Promise<number> {
  const cases = only === undefined ? CASES.filter(({ name }) => TELLING.includes(name)) : chosen(CASES, only);
  const other = await buildCommit(commit, report);
  const own = await ownCommit();
  const builds = { then: await startBuild(other.folder), now: await startBuild(process.cwd()) };
  try {
    const differences: Difference[] = [];
    for (const one of cases) {
      report(one.name);
      const found = await compareBuilds(builds, one, rounds);
      differences.push(...found);
      report(`\n${formatDifferences(found, other.commit, own)}\n`);
    }
    keepFigures({ then: other.commit, now: own, rounds, differences });
    print(json, { then: other.commit, now: own, differences }, formatDifferences(differences, other.commit, own));
    return differences.some(({ worse }) => worse) ? 1 : 0;
  } finally {
    await Promise.all([builds.then.stop(), builds.now.stop()]);
  }
}

async function distributed({ quick, json }: BenchOptions): Promise<number> {
  const rows = await measureIndexBuild(quick, report);
  print(json, { rows }, formatRows(rows));
  return rows.some(({ met }) => met === false) ? 1 : 0;
}

async function page({ quick, json }: BenchOptions): Promise<number> {
  return withRig(async (rig) => {
    const figures = await measurePage(rig, quick ? QUICK_PAGE : FULL_PAGE, report);
    print(json, { page: figures }, formatPage(figures));
    return figures.every(({ met }) => met !== false) ? 0 : 1;
  });
}

async function scale({ only, quick, json }: BenchOptions): Promise<number> {
  const cases = chosen(SCALE_CASES, only);
  const pace = quick ? QUICK : FULL;
  return withRig(async (rig) => {
    const growths: Growth[] = [];
    for (const one of cases) {
      const measured = [];
      for (const size of one.sizes.slice(0, pace.sizes)) {
        report(`${one.name}, ${size}`);
        measured.push({ size, values: await one.measure(rig.reeve, size, pace) });
      }
      growths.push(...growthsOf(one, measured));
    }
    print(json, { growths }, formatGrowths(growths));
    return growths.every(({ flat }) => flat) ? 0 : 1;
  });
}

async function profile(name: string, { quick, encrypted }: BenchOptions): Promise<number> {
  const [one] = chosen(CASES, name);
  return withRig(async (rig) => {
    console.log(await profileCase(rig, one!, quick ? QUICK : FULL, join(dataDirectoryFrom(), 'profiles')));
    return 0;
  }, encrypted);
}

async function compareSides({ only, quick, json, encrypted }: BenchOptions): Promise<number> {
  const cases = encrypted ? judgedByEncryption(chosen(CASES, only)) : chosen(CASES, only);
  const pace = quick ? QUICK : encrypted ? PRECISE : FULL;
  const startedAt = Date.now();
  return withRig(async (rig) => {
    const rows: Row[] = [];
    for (const one of cases) {
      report(`${seconds(startedAt)} s: ${one.name}`);
      rows.push(...(await measure(rig, one, pace)));
    }
    print(json, { rows }, formatRows(rows, encrypted));
    return rows.some(({ met }) => met === false) ? 1 : 0;
  }, encrypted);
}

/** The cases that measure a rate, each with the budget of encryption in place of its own. */
function judgedByEncryption(cases: readonly Case[]): readonly Case[] {
  return cases
    .map((one) => ({
      ...one,
      figures: one.figures.map(({ budget: _, ...figure }) => ({
        ...figure,
        ...(figure.unit === '/s' && { budget: ENCRYPTION_BUDGET }),
      })),
    }))
    .filter(({ figures }) => figures.some(({ budget }) => budget));
}

function print(json: boolean, content: object, table: string): void {
  const machine = describeMachine();
  console.log(json ? JSON.stringify({ machine, ...content }, undefined, 2) : `${table}\n\n${machine}`);
}

async function withRig<T>(work: (rig: Rig) => Promise<T>, encrypted = false): Promise<T> {
  const rig = await startRig(report, encrypted);
  try {
    return await work(rig);
  } finally {
    await rig.stop();
  }
}

function seconds(since: number): string {
  return ((Date.now() - since) / 1_000).toFixed(0);
}
