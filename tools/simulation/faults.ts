import type { FaultRates, Random, SimulationOptions } from '../../src/simulation/index.js';

/** The faults of a run: some runs have none, some have a few kinds, and some have all. */
export function someFaults(random: Random): FaultRates {
  const rate = (most: number) => (random.chance(0.6) ? random.next() * most : 0);
  return {
    crash: rate(0.2),
    fail: rate(0.3),
    loseAnswer: rate(0.2),
    slow: rate(0.3),
    delay: rate(0.3),
    double: rate(0.3),
    away: rate(0.4),
    rollOver: rate(0.3),
    read: rate(0.2),
    lag: rate(0.3),
  };
}

/** Lets entities at rest go on in new runs, in some simulations. */
export function someRest(random: Random): Pick<SimulationOptions, 'restAfter'> {
  return random.chance(0.3) ? { restAfter: '30s' } : {};
}
