import { z } from 'zod';
import { compound, parallel, sequence, type Description } from '../../src/components/index.js';
import { defineEntity, endRecord, implementActions, initial, stable } from '../../src/definition/index.js';
import { RunDaemon } from './multi-host.js';

/** A daemon under so many components that hold each other. */
function deep(of: string, depth: number): Description {
  const levels = Array.from({ length: depth - 1 }, (_, level) => level);
  return levels.reduce<Description>(
    (inner, level) => (level % 2 === 0 ? compound({ a: inner }) : sequence({ a: inner })),
    RunDaemon({ of, name: 'deep' }),
  );
}

/** So many daemons beside each other. */
function wide(of: string, count: number): Description {
  const leaves = Array.from({ length: count }, (_, leaf) => [`leaf${leaf}`, RunDaemon({ of, name: `leaf ${leaf}` })]);
  return parallel(Object.fromEntries(leaves), { asynchCreateChild: true });
}

/** Both, side by side. */
export function largeTree(of: string, { depth, count }: Sizes): Description {
  return parallel({ deep: deep(of, depth), wide: wide(of, count) });
}

export interface Sizes {
  readonly depth: number;
  readonly count: number;
}

const sizes = z.object({ depth: z.int().positive(), count: z.int().positive() });

/** A forest whose trees are large, and are up while it grows. W1 */
export const Forest = defineEntity('Forest', {
  key: z.string(),
  properties: sizes.partial(),
  states: {
    Bare: initial(),
    Grown: stable({ deploys: 'trees', ended: 'fell', endWithin: '5m' }),
  },
  events: {
    grow: { params: sizes, in: 'Bare' },
    fell: { params: endRecord, in: 'Grown', internal: true },
    clear: { in: 'Grown' },
  },
  actions: {
    grow: { on: 'grow', in: 'Bare', to: 'Grown' },
    clear: { on: 'clear', in: 'Grown', to: 'Bare' },
    fell: { on: 'fell', in: 'Grown', to: 'Bare' },
  },
});

export const forest = implementActions(
  Forest,
  {
    grow: async (app, { params }) => {
      Object.assign(app.properties, params);
      return app.goTo('Grown');
    },
    clear: async (app) => app.goTo('Bare'),
    fell: async (app) => app.goTo('Bare'),
  },
  {
    deploys: {
      trees: ({ key, properties: { depth = 1, count = 1 } }) => largeTree(key, { depth, count }),
    },
  },
);
