import {
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  stable,
} from '../../src/definition/index.js';
import { z } from 'zod';
import { delay } from '../../src/components/index.js';

/** Values that are thrown, and are no errors as one expects them. */
export const THROWN: Readonly<Record<string, () => unknown>> = {
  string: () => 'a string',
  undefined: () => undefined,
  null: () => null,
  symbol: () => Symbol('s'),
  object: () => ({
    toString() {
      throw new Error('no');
    },
  }),
  proxy: () =>
    new Proxy(
      {},
      {
        get() {
          throw new Error('get');
        },
        getPrototypeOf() {
          throw new Error('getPrototypeOf');
        },
      },
    ),
  huge: () => new Error('x'.repeat(5_000_000)),
  circular: () => {
    const error = new Error('circular');
    return Object.assign(error, { cause: error });
  },
  deep: () => {
    let error = new Error('leaf');
    for (let depth = 0; depth < 20_000; depth++) error = new Error('deep', { cause: error });
    return error;
  },
  odd: () => Object.assign(new Error('odd'), { message: { no: 'text' }, code: 7, name: ['no', 'text'], stack: 7 }),
  getters: () =>
    Object.defineProperties(new Error('getters'), {
      // First, since a stack is made from the message.
      stack: {
        get() {
          throw new Error('no stack');
        },
      },
      message: {
        get() {
          throw new Error('no message');
        },
      },
      code: {
        get() {
          throw new Error('no code');
        },
      },
    }),
  coded: () => Object.assign(new Error('y'.repeat(3_000_000)), { code: 'z'.repeat(3_000_000) }),
};

export const crane = defineResource('crane', {
  lift: { input: z.object({ how: z.string() }), output: z.object({}) },
  carry: { input: z.object({ text: z.string() }), output: z.object({}), summary: 'carry {text}' },
});

/** Something that comes in any size, and throws anything. */
export const Freight = defineEntity('Freight', {
  key: z.string(),
  properties: z.object({ load: z.string().default('') }),
  states: { Ordered: initial(), Ashore: stable(), StoppedForGood: stable(), Sunk: deleted() },
  events: {
    order: { in: 'Ordered' },
    drop: { in: 'Ashore', params: z.object({ how: z.string() }) },
    lift: { in: 'Ashore', params: z.object({ how: z.string() }) },
    carry: { in: 'Ashore', params: z.object({ bytes: z.number(), times: z.number().default(1) }) },
    stow: { in: 'Ashore', params: z.object({ bytes: z.number() }) },
    hail: { in: 'Ashore', params: z.object({ text: z.string() }) },
    pass: { in: 'Ashore', params: z.object({ bytes: z.number(), waits: z.boolean() }) },
    name: { in: 'Ashore', params: z.object({ how: z.string(), length: z.number() }) },
    look: { in: 'Ashore' },
    weigh: { in: 'Ashore' },
    stop: { in: 'Ashore', busy: 'abort' },
    sink: { in: ['Ashore', 'StoppedForGood'] },
  },
  actions: {
    order: { on: 'order', in: 'Ordered', to: 'Ashore' },
    drop: { on: 'drop', in: 'Ashore' },
    lift: { on: 'lift', in: 'Ashore' },
    carry: { on: 'carry', in: 'Ashore' },
    stow: { on: 'stow', in: 'Ashore' },
    hail: { on: 'hail', in: 'Ashore' },
    pass: { on: 'pass', in: 'Ashore' },
    name: { on: 'name', in: 'Ashore' },
    look: { on: 'look', in: 'Ashore' },
    weigh: { on: 'weigh', in: 'Ashore' },
    stop: { on: 'stop', in: 'Ashore', to: 'StoppedForGood' },
    sink: { on: 'sink', in: ['Ashore', 'StoppedForGood'], to: 'Sunk' },
  },
});

/** An object with a text, of so many bytes as JSON. */
export function textOfBytes(bytes: number): { readonly text: string } {
  return { text: 'x'.repeat(bytes - JSON.stringify({ text: '' }).length) };
}

export const freight = implementActions(Freight, {
  order: async (app) => app.goTo('Ashore'),
  drop: async (_, { params }) => {
    throw THROWN[params.how]!();
  },
  lift: async (app, { params }) => {
    await app.call(crane.lift, { how: params.how });
  },
  carry: async (app, { params }) => {
    const input = textOfBytes(params.bytes);
    await Promise.all(Array.from({ length: params.times }, () => app.call(crane.carry, input)));
  },
  stow: async (app, { params }) => {
    app.properties.load = 'x'.repeat(params.bytes);
  },
  hail: async () => undefined,
  pass: async (app, { params }) => {
    const [key, brought] = [`${app.key}-other`, textOfBytes(params.bytes)];
    if (params.waits) await app.raiseAndWait(Freight, key, 'hail', brought, { within: '10s' });
    else app.raise(Freight, key, 'hail', brought);
  },
  name: async (app, { params: { how, length } }) => {
    const key = app.key.padEnd(length, 'y');
    if (how === 'raise') app.raise(Freight, key, 'look');
    if (how === 'create') app.create(Freight, key, 'order');
    if (how === 'read') await app.read(Freight, key, { within: '5s' });
    if (how === 'reserve') await app.reserve(Freight, key, { within: '5s' });
  },
  look: async () => undefined,
  weigh: async (app) => app.run(delay({ time: 3_600_000 })).then(() => undefined),
  stop: async (app) => app.goTo('StoppedForGood'),
  sink: async (app) => app.goTo('Sunk'),
});
