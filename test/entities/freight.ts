import {
  defineEntity,
  defineResource,
  deleted,
  implementActions,
  initial,
  stable,
} from '../../src/definition/index.js';
import { z } from 'zod';

/** What is thrown that is no error as one expects it. */
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
});

/** Something that comes in any size, and throws anything. */
export const Freight = defineEntity('Freight', {
  key: z.string(),
  properties: z.object({ load: z.string().default('') }),
  states: { Ordered: initial(), Ashore: stable(), Sunk: deleted() },
  events: {
    order: { in: 'Ordered' },
    drop: { in: 'Ashore', params: z.object({ how: z.string() }) },
    lift: { in: 'Ashore', params: z.object({ how: z.string() }) },
    sink: { in: 'Ashore' },
  },
  actions: {
    order: { on: 'order', in: 'Ordered', to: 'Ashore' },
    drop: { on: 'drop', in: 'Ashore' },
    lift: { on: 'lift', in: 'Ashore' },
    sink: { on: 'sink', in: 'Ashore', to: 'Sunk' },
  },
});

export const freight = implementActions(Freight, {
  order: async (app) => app.goTo('Ashore'),
  drop: async (_, { params }) => {
    throw THROWN[params.how]!();
  },
  lift: async (app, { params }) => {
    await app.call(crane.lift, { how: params.how });
  },
  sink: async (app) => app.goTo('Sunk'),
});
