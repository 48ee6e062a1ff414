import { InvariantViolated, type Simulation } from '../../../src/simulation/index.js';
import { Canary } from './canary-entity.js';

/** Asks the canary, which must answer and settle. @throws InvariantViolated */
export async function askCanary(sim: Simulation, seed: number): Promise<void> {
  const { outcome } = await sim.result(
    sim.exists(Canary, 'c') ? await sim.raise(Canary, 'c', 'hit') : await sim.create(Canary, 'c', 'create'),
  );
  if (outcome === 'success') return;
  const invariant = 'nobody else waits';
  throw new InvariantViolated({
    invariant,
    problem: `the canary ended with ${outcome}`,
    seed,
    step: sim.steps,
    trace: sim.trace,
  });
}
