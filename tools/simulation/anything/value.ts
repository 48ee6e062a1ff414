/*
 * Values as plain data, so that a declaration can be printed, replayed and made smaller: plain JSON, or `{ $: 'date', of: 0 }` for
 * what JSON cannot carry and for what is large.
 */

/** A value: JSON, or one of {@link SPECIAL} by its name. */
export type ValuePlan =
  | null
  | boolean
  | number
  | string
  | readonly ValuePlan[]
  | { readonly $: string; readonly of?: number }
  | { readonly [name: string]: ValuePlan };

class Own {
  constructor(readonly held: number) {}
}

/** Makes each kind of value that JSON cannot carry, changes, or is too large for something. */
const SPECIAL: Readonly<Record<string, (of: number) => unknown>> = {
  undefined: () => undefined,
  nan: () => Number.NaN,
  infinity: (of) => (of < 0 ? -Infinity : Infinity),
  negativeZero: () => -0,
  beyond: () => 2 ** 53 + 2,
  bigint: (of) => BigInt(of),
  hugeBigint: () => 2n ** 64n,
  date: (of) => new Date(of),
  noDate: () => new Date(Number.NaN),
  map: () => new Map([['a', 1]]),
  set: () => new Set(['a', 'b']),
  bytes: (of) => new Uint8Array(of),
  symbol: () => Symbol('own'),
  function: () => () => 1,
  regexp: () => /own/,
  url: () => new URL('https://example.org/'),
  instance: (of) => new Own(of),
  boxed: () => Object('text') as unknown,
  bare: () => Object.assign(Object.create(null) as object, { a: 1 }),
  circular: () => {
    const value: { self?: unknown } = {};
    value.self = value;
    return value;
  },
  deep: (of) => {
    let value: unknown = 0;
    for (let level = 0; level < of; level++) value = { in: value };
    return value;
  },
  text: (of) => 'x'.repeat(of),
  /** Has more bytes than characters, and more characters as JSON than it has. */
  wide: (of) => 'é'.repeat(of),
  escaped: (of) => '\u0000'.repeat(of),
  list: (of) => Array.from({ length: of }, (_, index) => index),
  members: (of) => Object.fromEntries(Array.from({ length: of }, (_, index) => [`m${index}`, index])),
  holes: () => [undefined, 1],
  hollow: () => ({ a: undefined, b: 1 }),
  getter: () => ({
    get broken(): never {
      throw new Error('a getter throws');
    },
  }),
  toJSON: () => ({
    toJSON(): never {
      throw new Error('toJSON throws');
    },
  }),
  otherJSON: () => ({ toJSON: () => 'something else' }),
  proxy: () =>
    new Proxy(
      {},
      {
        get() {
          throw new Error('a proxy throws');
        },
        getPrototypeOf() {
          throw new Error('a proxy throws');
        },
        ownKeys() {
          throw new Error('a proxy throws');
        },
      },
    ),
  voiceless: () => ({
    toString(): never {
      throw new Error('toString throws');
    },
  }),
  proto: () => JSON.parse('{"__proto__":{"polluted":1},"constructor":1}') as unknown,
  surrogate: () => 'a\ud800b',
  nul: () => 'a\u0000b',
  error: (of) => new Error('x'.repeat(of)),
  causes: (of) => {
    // Stacks are all that such a value costs. An action may throw it every millisecond, and each replay makes it again.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    let cause = new Error('the first');
    for (let level = 1; level < of; level++) cause = new Error(`level ${level - 1}`, { cause });
    Error.stackTraceLimit = stackTraceLimit;
    return new Error(`level ${of - 1}`, { cause });
  },
  selfCause: () => {
    const error = new Error('its own cause');
    error.cause = error;
    return error;
  },
  promise: () => Promise.resolve(1),
};

/** The kinds of values that can be thrown. */
export const THROWN: readonly ValuePlan[] = [
  'a text',
  null,
  0,
  { code: 'own_code', message: 'an object that is no error' },
  ...['undefined', 'symbol', 'function', 'voiceless', 'proxy', 'circular', 'selfCause', 'nan'].map((kind) => ({
    $: kind,
  })),
  { $: 'error', of: 0 },
  { $: 'error', of: 30 },
  { $: 'error', of: 30_000 },
  { $: 'error', of: 5_000_000 },
  { $: 'causes', of: 20 },
  { $: 'causes', of: 20_000 },
  { $: 'deep', of: 20_000 },
];

const JSON_EDGES: readonly ValuePlan[] = [
  ...[null, true, false, 0, 1, -1, 7, 0.1, 1e21, 5e-324, Number.MAX_SAFE_INTEGER],
  ...['', 'a', 'b', ' a ', 'A', 'constructor', '__proto__', 'é\u0301', '😀', '2024-02-29', '2024-02-29T12:00:00Z'],
  ...['a@example.org', '123', '1e400', 'true', '0f6b1a52-7a31-4c1d-9b06-3f1f0b4a9c11', 'https://example.org/'],
  [],
  ['a'],
  ['a', 'a'],
  [1],
  [['a', 1]],
  {},
  { a: 'a' },
  { a: 1, b: 'b' },
  { kind: 'one', n: 1 },
];
const OTHER_EDGES = [
  ...[
    'undefined',
    'nan',
    'infinity',
    'negativeZero',
    'beyond',
    'hugeBigint',
    'noDate',
    'map',
    'set',
    'symbol',
    'function',
  ],
  ...[
    'regexp',
    'url',
    'boxed',
    'bare',
    'circular',
    'holes',
    'hollow',
    'getter',
    'toJSON',
    'otherJSON',
    'proxy',
    'proto',
  ],
  ...['voiceless', 'surrogate', 'nul', 'selfCause', 'promise'],
].map((kind) => ({ $: kind }));

/** Values at their edges, of all kinds. Which of them fit, the schema says. */
export const EDGES: readonly ValuePlan[] = [
  ...JSON_EDGES,
  ...OTHER_EDGES,
  { $: 'bigint', of: 5 },
  { $: 'date', of: 0 },
  { $: 'date', of: 8.64e15 },
  { $: 'bytes', of: 3 },
  { $: 'instance', of: 1 },
  { $: 'infinity', of: -1 },
  { $: 'deep', of: 50 },
  { $: 'deep', of: 20_000 },
  { $: 'text', of: 1_000 },
  { $: 'list', of: 1_000 },
  { $: 'members', of: 1_000 },
];

const sized = (kind: string, ...sizes: readonly number[]) => sizes.map((of): ValuePlan => ({ $: kind, of }));

/** Values around the limits of what is kept and sent. */
export const LARGE: readonly ValuePlan[] = [
  ...sized('text', 100_000, 255_000, 263_000, 500_000, 530_000, 985_000, 1_100_000, 2_200_000, 3_000_000),
  ...sized('wide', 130_000, 135_000, 265_000, 510_000),
  ...sized('escaped', 43_000, 90_000, 170_000),
];

/** Values around the limit of what a call takes and gives. */
export const LARGE_CALLS: readonly ValuePlan[] = [
  ...sized('text', 985_000, 1_100_000, 3_000_000),
  ...sized('wide', 510_000),
  ...sized('escaped', 170_000),
];

function isSpecial(plan: ValuePlan): plan is { readonly $: string; readonly of?: number } {
  return typeof plan === 'object' && plan !== null && '$' in plan && typeof plan.$ === 'string';
}

/** The value itself, made anew each time. */
export function valueOf(plan: ValuePlan | undefined): unknown {
  if (plan === undefined || plan === null || typeof plan !== 'object') return plan;
  if (isSpecial(plan)) return SPECIAL[plan.$]?.(plan.of ?? 0);
  if (Array.isArray(plan)) return plan.map((each: ValuePlan) => valueOf(each));
  return Object.fromEntries(Object.entries(plan).map(([name, each]) => [name, valueOf(each as ValuePlan)]));
}
