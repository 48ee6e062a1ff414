/** Keys of several parts, as TypeScript knows them: S1.1. A line under `@ts-expect-error` that compiles fails the type check. */
import { expectTypeOf } from 'vitest';
import { z } from 'zod';
import {
  all,
  defineEntity,
  implementActions,
  initial,
  keyOf,
  keyPartsOf,
  refTo,
  stable,
  type AnyEntity,
} from '../../src/definition/index.js';
import type { ReeveClient } from '../../src/exports/reeve.js';
import type { Simulation } from '../../src/simulation/index.js';

const machine = {
  properties: z.object({}),
  states: { Absent: initial(), Open: stable() },
  events: { open: { in: 'Absent' }, close: { in: 'Open' } },
  actions: { open: { on: 'open', in: 'Absent', to: 'Open' }, close: { on: 'close', in: 'Open', to: 'Absent' } },
} as const;
const Plain = defineEntity('Plain', { key: z.string(), ...machine });
const Berth = defineEntity('Berth', {
  key: z.object({ harbour: z.string(), side: z.enum(['left', 'right']), number: z.int() }),
  dimensions: { harbour: 'key.harbour', berth: 'key' },
  ...machine,
});
const parts = { harbour: 'north', side: 'left', number: 7 } as const;

implementActions(Berth, {
  open: async (app) => {
    expectTypeOf(app.key).toEqualTypeOf<string>();
    expectTypeOf(app.keyParts).toEqualTypeOf<Readonly<{ harbour: string; side: 'left' | 'right'; number: number }>>();
    app.create(Berth, { ...app.keyParts, number: 8 }, 'open');
    app.create(Berth, 'north,left,8', 'open');
    // @ts-expect-error a part is missing
    app.create(Berth, { harbour: 'north', side: 'left' }, 'open');
    // @ts-expect-error a part of another type
    app.raise(Berth, { ...parts, number: '7' }, 'close');
    // @ts-expect-error not one of the choices
    app.raise(Berth, { ...parts, side: 'front' }, 'close');
    // @ts-expect-error a part that the key has not
    app.raise(Berth, { harbour: 'north', side: 'left', number: 7, pier: 1 }, 'close');
    app.construct(Berth, parts, {});
    // @ts-expect-error a key of one text has no parts
    app.raise(Plain, { name: 'a' }, 'close');
    await app.read(Berth, parts);
    await app.reserve(Berth, parts);
    await app.raiseAndWait(Berth, parts, 'close', { within: '1m' });
    const [one, other] = await app.reserveAll([
      [Berth, parts],
      [Plain, 'a'],
    ]);
    expectTypeOf(one!.type).toEqualTypeOf<'Berth'>();
    expectTypeOf(other!.type).toEqualTypeOf<'Plain'>();
    // @ts-expect-error a part is missing
    await app.reserveAll([[Berth, { harbour: 'north' }]]);
    return app.goTo('Open');
  },
  close: async (app) => app.goTo('Absent'),
});

implementActions(Plain, {
  open: async (app) => {
    expectTypeOf(app.keyParts).toEqualTypeOf<undefined>();
    return app.goTo('Open');
  },
  close: async (app) => app.goTo('Absent'),
});

export async function give(reeve: ReeveClient, sim: Simulation, any: AnyEntity): Promise<void> {
  await reeve.create(Berth, parts, 'open');
  await reeve.construct(Berth, parts, {});
  await reeve.raise(Berth, parts, 'close', { requestId: 'r' });
  await reeve.perform(Berth, 'north,left,7', 'close');
  // @ts-expect-error a part is missing
  await reeve.create(Berth, { harbour: 'north' }, 'open');
  // @ts-expect-error a key of one text has no parts
  await reeve.create(Plain, parts, 'open');
  await reeve.createAny(any, parts, 'open');
  await reeve.raiseAny(any, 'a', 'open');
  await reeve.read(refTo(Berth, parts));
  // @ts-expect-error a part is missing
  refTo(Berth, { harbour: 'north' });
  await sim.create(Berth, parts, 'open');
  // @ts-expect-error a part is missing
  await sim.create(Berth, { harbour: 'north' }, 'open');
  sim.read(Berth, parts);
  sim.terminate(Berth, parts);
}

export const text: string = keyOf(Berth, parts);
expectTypeOf(keyPartsOf(Berth, text).number).toEqualTypeOf<number>();
all({ of: Berth, key: parts, in: 'Open' });
all({ of: 'Berth', key: 'north,left,7' });
// @ts-expect-error a part is missing
all({ of: Berth, key: { harbour: 'north' }, in: 'Open' });
// @ts-expect-error a type that is only named has no parts
all({ of: 'Berth', key: parts });

defineEntity('Bad', {
  ...machine,
  // @ts-expect-error a part that is neither a text nor a number
  key: z.object({ open: z.boolean(), name: z.string() }),
});
defineEntity('Bad', {
  ...machine,
  key: z.object({ a: z.string(), b: z.string() }),
  // @ts-expect-error a dimension of a part that the key has not
  dimensions: { c: 'key.c' },
});
