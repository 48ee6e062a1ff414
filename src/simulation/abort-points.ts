import { abortsIn } from '../definition/busy.js';
import { validEvents } from '../kernel/index.js';
import { Rejected } from '../protocol/errors.js';
import { comeToRest } from './end.js';
import type { Point } from './fault.js';
import { KEY, PATIENCE, raiseStep, type Path } from './paths.js';
import { worldOf, type Simulation } from './simulation.js';
import { InvariantViolated } from './violation.js';

/** The path of a run that was cut short by an event, while a call was under way that took effect late. S3.2 */
export interface AbortedRun {
  /** `Net: create, and remove during cloud.make` */
  readonly path: string;
  readonly at: Point;
  readonly violation?: InvariantViolated;
  readonly trace: readonly string[];
}

/** How often it is looked whether the call is under way. Late effects come later than that. */
const HOP_MS = 1_000;
const HOPS = 86_400;

/**
 * Goes along a path to a call that takes effect late, and raises each event there that aborts the action which has called.
 * @param place the number of the call among all places of the path
 * @param simulation makes a simulation in which that call takes effect late, ready for the path
 */
export async function abortRuns(
  path: Path,
  name: string,
  { place, step }: { readonly place: number; readonly step: number },
  simulation: () => Promise<Simulation>,
  params: (event: string) => unknown,
): Promise<readonly AbortedRun[]> {
  const runs: AbortedRun[] = [];
  let events: readonly string[] | undefined;
  for (let index = 0; events === undefined || index < events.length; index++) {
    const sim = await simulation();
    const at = await goTo(sim, path, step, place);
    const event = (events ??= at ? abortingEvents(sim, path) : [])[index];
    if (!at || event === undefined) return runs;
    const run = { path: `${name}, and ${event} during ${at.call}`, at };
    try {
      await sim.raiseAny(path.entity, KEY, event, { params: params(event) });
      await sim.advance(PATIENCE);
      await comeToRest(sim);
      runs.push({ ...run, trace: sim.trace });
    } catch (thrown) {
      if (thrown instanceof InvariantViolated) runs.push({ ...run, violation: thrown, trace: sim.trace });
      else if (!(thrown instanceof Rejected)) throw thrown;
    }
  }
  return runs;
}

/** Goes on until the call is under way; nothing where it does not come to that. */
async function goTo(sim: Simulation, path: Path, step: number, place: number): Promise<Point | undefined> {
  const { faults } = worldOf(sim);
  for (const index of path.events.keys()) {
    await raiseStep(sim, path, index);
    if (index < step) {
      await sim.advance(PATIENCE);
      continue;
    }
    for (let hop = 0; hop < HOPS && faults.points.length <= place; hop++) await sim.advance(HOP_MS);
    return faults.struck;
  }
  return undefined;
}

/** The events that abort the running action of the entity. */
function abortingEvents(sim: Simulation, { entity }: Path): readonly string[] {
  if (!sim.exists(entity, KEY)) return [];
  const { running, state } = sim.read(entity, KEY);
  const isRaised = (event: string) => !entity.events[event]?.internal && abortsIn(entity, event, state);
  return running ? validEvents(entity, state).filter(isRaised) : [];
}
