import type { Random } from '../../src/simulation/index.js';

/** How many requests people make in one simulation: mostly a few, since many short stories find more than few long ones. */
export function requestCount(random: Random): number {
  return random.chance(0.1) ? 8 + random.below(12) : 2 + random.below(6);
}
