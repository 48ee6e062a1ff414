/*
 * The deeds that an action may do though no action should, by their kind. The types allow each.
 */
import type { ActionContext } from '../../src/definition/action-context.js';
import { outside } from './contract.js';
import { Wretch } from './definitions.js';

type App = ActionContext<typeof Wretch, 'work'>;
type Misdeed = (app: App) => Promise<unknown> | unknown;

const MEGABYTE = 1_000_000;
const LEVELS = 20_000;
const MANY_CALLS = 3_000;

function nested(levels: number): object {
  let inner: object = {};
  for (let level = 0; level < levels; level++) inner = { inner };
  return inner;
}

function causes(levels: number): Error {
  let error = new Error('the innermost');
  for (let level = 0; level < levels; level++) error = new Error(`level ${level}`, { cause: error });
  return error;
}

function fails(): never {
  throw new Error('asked');
}

export const MISDEEDS: Readonly<Record<string, Misdeed>> = {
  while: () => {
    for (;;);
  },
  microtasks: async () => {
    for (;;) await null;
  },
  oom: () => {
    const hoard: unknown[] = [];
    for (;;) hoard.push(new Array<number>(MEGABYTE).fill(hoard.length + 0.5));
  },
  stack: () => {
    const deeper = (depth: number): number => deeper(depth + 1) + 1;
    return deeper(0);
  },
  never: () => new Promise(() => undefined),

  globalMutation: () => {
    (JSON as { stringify: unknown }).stringify = () => 'poison';
  },
  prototypeMutation: () => {
    (Array.prototype as unknown as Record<string, unknown>)['poison'] = 1;
  },
  objectMutation: () => {
    (Object.prototype as Record<string, unknown>)['poison'] = 1;
  },
  methodMutation: () => {
    Array.prototype.map = (() => []) as never;
  },
  globalPromise: () => Object.assign(globalThis, { Promise: undefined, setTimeout: undefined }),
  process: (app) => {
    app.properties.bag = { found: typeof (globalThis as { process?: unknown }).process };
  },
  freeze: (app) => {
    Object.freeze(app.properties);
    app.properties.count++;
  },
  mutateKey: (app) => {
    (app as { key: string }).key = 'another';
  },

  throwString: () => {
    throw 'a text';
  },
  throwUndefined: () => {
    throw undefined;
  },
  throwNull: () => {
    throw null;
  },
  throwObject: () => {
    throw { toString: fails };
  },
  throwProxy: () => {
    throw new Proxy({}, { get: fails, getPrototypeOf: fails, has: fails, ownKeys: fails });
  },
  throwHuge: () => {
    throw new Error('x'.repeat(5 * MEGABYTE));
  },
  throwCircular: () => {
    const error = new Error('round');
    error.cause = error;
    throw error;
  },
  throwDeep: () => {
    throw causes(LEVELS);
  },
  throwSymbol: () => {
    throw Symbol('thrown');
  },
  dangling: () => void Promise.reject(new Error('nobody waits for this')),

  circular: (app) => {
    const bag: Record<string, unknown> = {};
    app.properties.bag = Object.assign(bag, { bag });
  },
  bigint: (app) => (app.properties.bag = { number: 10n }),
  date: (app) => (app.properties.bag = { at: new Date(0) }),
  undef: (app) => (app.properties.bag = { list: [undefined, 1] }),
  nan: (app) => (app.properties.count = NaN),
  func: (app) => (app.properties.bag = { run: fails }),
  map: (app) => (app.properties.bag = new Map([[1, 2]])),
  set: (app) => (app.properties.bag = new Set([1])),
  getter: (app) =>
    (app.properties.bag = {
      get inner() {
        return fails();
      },
    }),
  toJSON: (app) => (app.properties.bag = { toJSON: fails }),
  zero: (app) => (app.properties.bag = { zero: -0 }),
  proto: (app) => (app.properties.record = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1}}') as never),
  deep: (app) => (app.properties.bag = nested(LEVELS)),
  many: (app) => {
    app.properties.record = Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`p${n}`, n]));
  },
  mb1: (app) => (app.properties.text = 'x'.repeat(MEGABYTE)),
  mb3: (app) => (app.properties.text = 'x'.repeat(3 * MEGABYTE)),
  nul: (app) => (app.properties.text = 'a\u0000b'),
  surrogate: (app) => (app.properties.text = 'a\ud800b'),

  callsInRow: async (app) => {
    for (let n = 0; n < MANY_CALLS; n++) await app.call(outside.well, { name: `${n}` });
  },
  callsAtOnce: (app) =>
    Promise.all(Array.from({ length: MANY_CALLS }, (_, n) => app.call(outside.well, { name: `${n}` }))),
  inlineBlock: (app) => app.call(outside.inline, { kind: 'block' }),
  long: (app) => app.call(outside.long, { ms: 600_000 }),
  reserveSelf: (app) => app.reserve(Wretch, app.key, { within: '5s' }),
  readSelf: (app) => app.read(Wretch, app.key, { within: '5s' }),
};
