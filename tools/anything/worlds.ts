import { drawWorld } from '../simulation/anything/drawn-world.js';
import type { WorldPlan } from '../simulation/anything/plan.js';

/** So many accepted types, in worlds that are drawn with the seeds from one on. */
export function drawWorlds(types: number): readonly WorldPlan[] {
  const worlds: WorldPlan[] = [];
  let count = 0;
  for (let seed = 1; count < types; seed++) {
    const { plan } = drawWorld(seed, new Map(), `W${seed}`);
    // The worker gets the plan as JSON.
    if (!plan || !isPlainJson(plan)) continue;
    worlds.push(plan);
    count += plan.types.length;
  }
  return worlds;
}

function isPlainJson(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  return typeof value !== 'object' || value === null || Object.values(value).every(isPlainJson);
}
