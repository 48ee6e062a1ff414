import type { AnyImplementation } from '../definition/actions.js';
import type { AnyEntity } from '../definition/entity.js';
import { OPERATION_TYPE } from '../protocol/names.js';
import { abortRuns, type AbortedRun } from './abort-points.js';
import { comeToRest, describeEnd, type End } from './end.js';
import type { Fault, Point } from './fault.js';
import { findPaths, walk, type Path } from './paths.js';
import { Random } from './random.js';
import type { FakeResource } from './resources.js';
import { Simulation, worldOf } from './simulation.js';
import { InvariantViolated } from './violation.js';

/** Holds what the runs with crashes need: fakes, parameters, and how each run is prepared. */
export interface CrashPointsOptions {
  /** Makes the fakes for each run, since what they remember must not outlast it. */
  readonly resources?: () => readonly FakeResource[];
  /** Parameters for events that need some, by type and event: `{ Box: { place: { label: 'red' } } }`. */
  readonly examples?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Values for entities that need some at their construction, by type: `{ Shelf: { size: 3 } }`. */
  readonly construct?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Prepares each run, for example by creating entities that others need. Crashes strike here as well. */
  readonly setUp?: (sim: Simulation) => Promise<void>;
  /** The types from whose initial states paths are looked for. Default: all. */
  readonly types?: readonly string[];
  /** A scenario of your own, instead of the paths that the declarations give. */
  readonly scenario?: (sim: Simulation) => Promise<void>;
  /** Is told how far it is: first when it knows how much there is to try, then whenever a hundredth of that is done. */
  readonly progress?: (progress: CrashProgress) => void;
  /** The most to try at once, where all of it takes too long: spread over all paths. What is left is in `next`. Default: all. */
  readonly most?: number;
  /** Sets where to continue: `next` of an earlier report on the same declarations. Default 0. */
  readonly seed?: number;
}

/** Describes how far the crashes are. */
export interface CrashProgress {
  readonly tried: number;
  /** Shows how many are to be tried in this call. */
  readonly of: number;
  /** The path of the last one; none at the beginning. */
  readonly path?: string;
}

/** A run that ended differently because of one crash. */
export interface CrashDifference {
  readonly path: string;
  readonly fault: Fault;
  /** Shows where the crash was. */
  readonly at: Point | undefined;
  /** Shows how it ends without the fault; in words, where that is another run. */
  readonly expected: End | string;
  /** Shows how it ended, or the error that kept it from ending. */
  readonly actual: End | string;
  readonly trace: readonly string[];
}

/** Describes the runs with crashes, and each that ended in another way than without a crash. */
export interface CrashReport {
  /** The number of all runs with a crash. */
  readonly runs: number;
  readonly paths: readonly { readonly path: string; readonly points: number }[];
  readonly differences: readonly CrashDifference[];
  /**
   * Shows what else was tried: events that abort an action while a call of it is under way, which takes effect late all the same. Each is a
   * difference where an invariant is broken by that.
   */
  readonly aborted: readonly string[];
  /** Events that could not be tried, and why. A test should see that there are none. */
  readonly untried: readonly string[];
  /**
   * States to which no run came, by type: what would happen there is not proved. Fakes that fail lead to some of them, and a
   * `scenario` to all. Empty for a scenario.
   */
  readonly unreached: readonly string[];
  /** Shows how many crashes `most` has left out, of which nothing is said. */
  readonly left: number;
  /** The `seed` of the call that goes on with what follows; absent where nothing does. */
  readonly next?: number;
}

const CRASHES: readonly Fault[] = ['crash', 'restart'];

/**
 * Runs entities along every path of their declarations to which the fakes lead, and again with one crash at each step of it: before the
 * step is
 * recorded, and after. Reports the runs that end differently from the one without a crash. When a worker dies during a call,
 * the answer comes later, and a deadline or the next event of the path may come first. That counts as no difference where the
 * run ends in the same way when the answer is as late and no worker dies.
 * @throws RangeError when nothing ran at all, with what each event lacks: parameters in `examples`, or values in `construct`
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
  const wanted = wantedOf(implementations, options);
  const { paths, untried } = await pathsOf(wanted, options, simulation);
  const entered = new Set<string>();

  const differences: CrashDifference[] = [];
  const walked: { path: string; points: number }[] = [];
  const aborted: string[] = [];
  const trials: Trial[] = [];
  let runs = 0;
  for (const { path, go, abort } of paths) {
    const sim = simulation();
    const steps: number[] = [];
    await go(sim, () => steps.push(worldOf(sim).faults.points.length));
    const points = worldOf(sim).faults.points.length;
    const called = worldOf(sim).faults.points.flatMap(({ kind }, place) => (kind === 'call' ? [place] : []));
    await comeToRest(sim);
    for (const place of statesIn(sim)) entered.add(place);
    const expected = describeEnd(sim);
    walked.push({ path, points });
    const crash = async (place: number, fault: Fault) => {
      runs++;
      const again = simulation({ place, fault });
      const actual = await endOf(again, go);
      if (isSame(actual, expected)) return;
      const at = worldOf(again).faults.struck;
      if (at?.kind === 'call' && isSame(actual, await endOf(simulation({ place, fault: 'late' }), go))) return;
      differences.push({ path, fault, at, expected, actual: inBrief(actual), trace: again.trace });
    };
    const abortAt = async (place: number) => {
      const late = () => simulation({ place, fault: 'late-effect' });
      const step = steps.findIndex((end) => place < end);
      for (const run of await abort!({ place, step }, late)) {
        runs++;
        aborted.push(run.path);
        if (!run.violation) continue;
        const { path: where, at, trace, violation } = run;
        const wanted = 'nothing of the aborted action takes effect after its end';
        differences.push({
          ...{ path: where, fault: 'late-effect', at, trace },
          ...{ expected: wanted, actual: violation.message },
        });
      }
    };
    for (let place = 0; place < points; place++) {
      for (const fault of CRASHES) trials.push({ path, run: () => crash(place, fault) });
    }
    if (abort) for (const place of called) trials.push({ path, run: () => abortAt(place) });
  }
  const { chosen, ...rest } = choose(trials, options);
  await runAll(chosen, options.progress);
  if (runs === 0) throw nothingRan(untried, options);
  const unreached = options.scenario ? [] : wanted.flatMap(({ entity }) => statesWithout(entity, entered));
  return { runs, paths: walked, differences, aborted, untried, unreached, ...rest };
}

/** One crash to be tried, or the events that abort an action during one call. */
interface Trial {
  readonly path: string;
  readonly run: () => Promise<void>;
}

/** All, in their order; or so many of them in a fixed order that mixes the paths. @throws RangeError */
function choose(
  trials: readonly Trial[],
  { most, seed = 0 }: CrashPointsOptions,
): { readonly chosen: readonly Trial[] } & Pick<CrashReport, 'left' | 'next'> {
  if (most === undefined) return { chosen: trials, left: 0 };
  if (!Number.isInteger(most) || most < 1)
    throw new RangeError(`'most' is ${most}. Write a whole number of at least 1.`);
  if (!Number.isInteger(seed) || seed < 0 || (seed >= trials.length && trials.length > 0))
    throw new RangeError(
      `'seed' is ${seed}, and there are ${trials.length} crashes to try. Give the 'next' of a report, or none.`,
    );
  const random = new Random(MIXED_BY);
  const mixed = trials
    .map((trial) => ({ trial, at: random.next() }))
    .sort((one, other) => one.at - other.at)
    .map(({ trial }) => trial);
  const end = seed + most;
  const chosen = mixed.slice(seed, end);
  return { chosen, left: trials.length - chosen.length, ...(end < trials.length && { next: end }) };
}

const MIXED_BY = 1;

async function runAll(trials: readonly Trial[], progress: CrashPointsOptions['progress']): Promise<void> {
  const of = trials.length;
  const every = Math.max(1, Math.floor(of / 100));
  progress?.({ tried: 0, of });
  for (const [place, { path, run }] of trials.entries()) {
    await run();
    if ((place + 1) % every === 0 || place + 1 === of) progress?.({ tried: place + 1, of, path });
  }
}

/** The entities from whose initial states paths are looked for. */
function wantedOf(
  implementations: readonly AnyImplementation[],
  { types }: CrashPointsOptions,
): readonly AnyImplementation[] {
  return implementations.filter(
    ({ entity }) => entity.name !== OPERATION_TYPE && (types?.includes(entity.name) ?? true),
  );
}

/** The states into which entities have come: `Box.Placed`. */
function statesIn(sim: Simulation): readonly string[] {
  return sim.records.flatMap((record) =>
    record.kind === 'transition' ? [`${record.entity.type}.${record.endState}`] : [],
  );
}

function statesWithout({ name, states }: AnyEntity, entered: ReadonlySet<string>): readonly string[] {
  return Object.entries(states).flatMap(([state, { initial }]) => {
    const place = `${name}.${state}`;
    return initial || entered.has(place) ? [] : [place];
  });
}

/** Without a run, an empty list of differences would look like a proof. */
function nothingRan(untried: readonly string[], { scenario, types }: CrashPointsOptions): RangeError {
  const why =
    untried.length > 0
      ? untried
      : scenario
        ? ["The scenario raised no event. Raise some in 'scenario', and wait until they have settled."]
        : types
          ? [`None of the given entities is one of 'types': ${types.join(', ')}. Name types that are given.`]
          : ['There are no entities with events. Pass results of implementActions().'];
  return new RangeError(`crashPoints ran nothing, so it says nothing about crashes:\n  ${why.join('\n  ')}`);
}

interface Scenario {
  readonly path: string;
  /** @param stepped is called after each event */
  readonly go: (sim: Simulation, stepped?: () => void) => Promise<void>;
  /** Raises what aborts the action that makes a call, while that is under way. */
  readonly abort?: (
    call: { readonly place: number; readonly step: number },
    simulation: () => Simulation,
  ) => Promise<readonly AbortedRun[]>;
}

async function pathsOf(
  wanted: readonly AnyImplementation[],
  { scenario, setUp, examples = {}, construct = {} }: CrashPointsOptions,
  simulation: () => Simulation,
): Promise<{ readonly paths: readonly Scenario[]; readonly untried: readonly string[] }> {
  const begin = async (sim: Simulation) => {
    await setUp?.(sim);
    return sim;
  };
  if (scenario) return { paths: [{ path: 'scenario', go: async (sim) => scenario(await begin(sim)) }], untried: [] };
  const paths: Scenario[] = [];
  const untried: string[] = [];
  for (const { entity } of wanted) {
    const given = { examples: examples[entity.name] ?? {}, construct: construct[entity.name] };
    const found = await findPaths(entity, given, () => begin(simulation()));
    untried.push(...found.untried);
    for (const path of found.paths) {
      const name = inWords(path);
      paths.push({
        path: name,
        go: async (sim, stepped) => walk(await begin(sim), path, stepped),
        abort: (call, late) =>
          abortRuns(
            path,
            name,
            call,
            () => begin(late()),
            (event) => given.examples[event],
          ),
      });
    }
  }
  return { paths, untried };
}

/** How a run has ended, or what was thrown. */
async function endOf(
  sim: Simulation,
  go: (sim: Simulation) => Promise<void>,
): Promise<End | { readonly thrown: unknown }> {
  try {
    await go(sim);
    await comeToRest(sim);
    return describeEnd(sim);
  } catch (thrown) {
    return { thrown };
  }
}

/** Tells whether two runs ended in the same way. A broken invariant is never the same. */
function isSame(one: Awaited<ReturnType<typeof endOf>>, other: Awaited<ReturnType<typeof endOf>>): boolean {
  if ([one, other].some((end) => 'thrown' in end && end.thrown instanceof InvariantViolated)) return false;
  return JSON.stringify(inBrief(one)) === JSON.stringify(inBrief(other));
}

function inBrief(end: Awaited<ReturnType<typeof endOf>>): End | string {
  if (!('thrown' in end)) return end;
  return end.thrown instanceof Error ? end.thrown.message : String(end.thrown);
}

function inWords({ entity, events }: Path): string {
  return `${entity.name}: ${events.map(({ event }) => event).join(', ')}`;
}
