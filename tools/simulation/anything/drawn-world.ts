import { joinKey } from '../../../src/definition/key-check.js';
import { Random } from '../../../src/simulation/random.js';
import { Draw, drawCall, drawDeclared, drawKeys, drawSkeleton, TREES } from './draw.js';
import { drawCode, drawRequests } from './draw-code.js';
import { mendCalls, mendModel, mendType, type Refusals } from './mend.js';
import { declare } from './declare.js';
import type { TypePlan, WorldPlan } from './plan.js';

/** A world, or the number of its types where `check` refused some of them for good. */
export interface Drawn {
  readonly plan?: WorldPlan;
  /** The types that were drawn, and those that `check` accepted, mended or not. */
  readonly drawn: number;
  readonly accepted: number;
}

/** Draws a world with a seed, and mends it until `check` accepts it: the same each time. Its types have names that begin with `prefix`. */
export function drawWorld(seed: number, refusals: Refusals, prefix = ''): Drawn {
  const random = new Random(seed ^ 0xa117);
  const draw = new Draw(random);
  const skeletons = Array.from({ length: 1 + random.below(3) }, (_, index) =>
    drawSkeleton(draw, `${prefix}Type${index}`),
  );
  const around = {
    types: skeletons.map(({ name }) => name),
    states: (type: string) => skeletons.find(({ name }) => name === type)?.states ?? ['Rest0'],
    events: skeletons.flatMap(({ name, events }) => events.map((event) => `${name}.${event}` as const)),
  };
  const types = skeletons.flatMap((skeleton) => {
    const declared = drawDeclared(draw, skeleton, around);
    const type = mendType(random, { name: skeleton.name, declared }, refusals);
    return type ? [type] : [];
  });
  const calls = mendCalls(Object.fromEntries(draw.names('call', 0, 3).map((name) => [name, drawCall(draw)])), refusals);
  const drawn = skeletons.length;
  const unique = new Set(types.map(({ name }) => name)).size === types.length;
  const fitting = unique ? mendModel(random, types, refusals) : undefined;
  if (!fitting || fitting.length === 0) return { drawn, accepted: 0 };
  const declared = fitting.map((type) => ({ ...type, keys: someKeys(draw, type) }));
  const plan: WorldPlan = {
    outside: `outside${prefix}`,
    types: declared.map((type, index) => ({
      ...type,
      code: drawCode(draw, declared, index, calls),
      deploys: { system: random.pick(TREES) },
    })),
    calls,
    requests: drawRequests(draw, declared),
  };
  return { plan, drawn, accepted: fitting.length };
}

/** Keys of a type. The first one is mostly right. */
function someKeys(draw: Draw, { name, declared }: Pick<TypePlan, 'name' | 'declared'>): TypePlan['keys'] {
  const entity = declare(name, declared);
  let keys = drawKeys(draw, declared.key);
  for (let tries = 0; tries < 8 && 'issues' in joinKey(entity, keys[0]); tries++) keys = drawKeys(draw, declared.key);
  return keys;
}
