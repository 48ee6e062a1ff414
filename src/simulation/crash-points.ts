import type { AnyImplementation } from '../definition/actions.js';
import { OPERATION_TYPE } from '../protocol/names.js';
import { describeEnd, type End } from './end.js';
import type { Fault, Point } from './fault.js';
import { findPaths, walk, type Path } from './paths.js';
import type { FakeResource } from './resources.js';
import { Simulation, worldOf } from './simulation.js';

export interface CrashPointsOptions {
  /** Fakes for each run: what they remember must not outlast it. */
  readonly resources?: () => readonly FakeResource[];
  /** Parameters for events that need some, by type and event: `{ Box: { place: { label: 'red' } } }`. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What entities come to be with that need something, by type: `{ Shelf: { size: 3 } }`. */
  readonly construct?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** What has to be there before each run, such as entities to which those on the path turn. Crashes strike here as well. */
  readonly setUp?: (sim: Simulation) => Promise<void>;
  /** The types from whose initial states paths are looked for. Default: all. */
  readonly types?: readonly string[];
  /** A scenario of your own, instead of the paths that the declarations give. */
  readonly scenario?: (sim: Simulation) => Promise<void>;
}

/** A run that ended otherwise because of one crash. */
export interface CrashDifference {
  readonly path: string;
  readonly fault: Fault;
  /** Where the crash was. */
  readonly at: Point | undefined;
  readonly expected: End;
  /** How it ended, or the error with which it did not. */
  readonly actual: End | string;
  readonly trace: readonly string[];
}

export interface CrashReport {
  /** Runs with a crash, all in all. */
  readonly runs: number;
  readonly paths: readonly { readonly path: string; readonly points: number }[];
  readonly differences: readonly CrashDifference[];
  /** Events that could not be tried, and why. */
  readonly untried: readonly string[];
}

const CRASHES: readonly Fault[] = ['crash', 'restart'];

/**
 * Runs entities along every path of their declarations, and again with one crash at each step of it: before the step is
 * recorded, and after. Reports the runs that end otherwise than the one without a crash.
 */
export async function crashPoints(
  implementations: readonly AnyImplementation[],
  options: CrashPointsOptions = {},
): Promise<CrashReport> {
  const simulation = (crashAt?: { readonly place: number; readonly fault: Fault }) =>
    new Simulation(implementations, {
      order: 'in-order',
      resources: options.resources?.() ?? [],
      ...(crashAt && { crashAt }),
    });
  const { paths, untried } = await pathsOf(implementations, options, simulation);

  const differences: CrashDifference[] = [];
  const walked: { path: string; points: number }[] = [];
  let runs = 0;
  for (const { path, go } of paths) {
    const sim = simulation();
    await go(sim);
    const expected = describeEnd(sim);
    const points = worldOf(sim).faults.places;
    walked.push({ path, points });
    for (let place = 0; place < points; place++) {
      for (const fault of CRASHES) {
        runs++;
        const again = simulation({ place, fault });
        const actual = await endOf(again, go);
        if (JSON.stringify(actual) === JSON.stringify(expected)) continue;
        const at = worldOf(again).faults.struck;
        differences.push({ path, fault, at, expected, actual, trace: again.trace });
      }
    }
  }
  return { runs, paths: walked, differences, untried };
}

interface Scenario {
  readonly path: string;
  readonly go: (sim: Simulation) => Promise<void>;
}

async function pathsOf(
  implementations: readonly AnyImplementation[],
  { scenario, types, setUp, examples = {}, construct = {} }: CrashPointsOptions,
  simulation: () => Simulation,
): Promise<{ readonly paths: readonly Scenario[]; readonly untried: readonly string[] }> {
  const begin = async (sim: Simulation) => {
    await setUp?.(sim);
    return sim;
  };
  if (scenario) return { paths: [{ path: 'scenario', go: async (sim) => scenario(await begin(sim)) }], untried: [] };
  const wanted = implementations.filter(
    ({ entity }) => entity.name !== OPERATION_TYPE && (types?.includes(entity.name) ?? true),
  );
  const paths: Scenario[] = [];
  const untried: string[] = [];
  for (const { entity } of wanted) {
    const given = { examples: examples[entity.name] ?? {}, construct: construct[entity.name] };
    const found = await findPaths(entity, given, () => begin(simulation()));
    untried.push(...found.untried);
    for (const path of found.paths)
      paths.push({ path: inWords(path), go: async (sim) => walk(await begin(sim), path) });
  }
  return { paths, untried };
}

async function endOf(sim: Simulation, go: (sim: Simulation) => Promise<void>): Promise<End | string> {
  try {
    await go(sim);
    return describeEnd(sim);
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

function inWords({ entity, events }: Path): string {
  return `${entity.name}: ${events.map(({ event }) => event).join(', ')}`;
}
