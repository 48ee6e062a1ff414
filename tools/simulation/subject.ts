import type { Simulation } from '../../src/simulation/index.js';
import { simulateAnything } from './anything/anything.js';
import { simulateAsking } from './asking/asking.js';
import { simulateComponents } from './components/components.js';
import { simulateControlPlane } from './control-plane.js';
import { simulateCrowd } from './crowd/crowd.js';
import { simulateDistributed } from './distributed/distributed.js';
import { simulateEvolution } from './evolution/evolution.js';
import { simulateMachines } from './generated.js';
import { simulateRounds } from './rounds/rounds.js';

/** The simulations that can be run with a seed. @throws InvariantViolated */
export const SUBJECTS = {
  machines: simulateMachines,
  rounds: simulateRounds,
  evolution: simulateEvolution,
  crowd: simulateCrowd,
  asking: simulateAsking,
  'control-plane': simulateControlPlane,
  components: simulateComponents,
  distributed: simulateDistributed,
  anything: simulateAnything,
} as const satisfies Record<string, (seed: number) => Promise<Pick<Simulation, 'steps' | 'trace'>>>;

/** The part of the seeds that each subject gets when all are simulated, so that each takes about the same time. */
export const PARTS: Readonly<Record<Subject, number>> = {
  machines: 1,
  rounds: 1 / 20,
  evolution: 1 / 2,
  crowd: 1 / 20,
  asking: 1 / 4,
  'control-plane': 1 / 2,
  components: 1 / 2,
  distributed: 1 / 4,
  // It is asked for by its name, until all that it has found is mended.
  anything: 0,
};

export type Subject = keyof typeof SUBJECTS;

export function isSubject(name: string): name is Subject {
  return name in SUBJECTS;
}
