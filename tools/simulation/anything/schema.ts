/*
 * Zod schemas as plain data: the calls by which they are made, one after the other. `[['string'], ['min', 1]]` is
 * `z.string().min(1)`.
 */
import { z } from 'zod';
import type { Random } from '../../../src/simulation/random.js';
import { EDGES, LARGE, valueOf, type ValuePlan } from './value.js';

export type SchemaPlan = readonly SchemaCall[];
export type SchemaCall = readonly [method: string, ...args: SchemaArgument[]];
export type SchemaArgument =
  | { readonly schema: SchemaPlan }
  | { readonly list: readonly SchemaPlan[] }
  | { readonly shape: Readonly<Record<string, SchemaPlan>> }
  | { readonly value: ValuePlan }
  | { readonly code: keyof typeof CODES };

/** The functions that are given to `transform`, `refine` and the like. */
const CODES = {
  same: (value: unknown) => value,
  yes: () => true,
  no: () => false,
  upper: (value: unknown) => String(value).toUpperCase(),
  louder: (value: unknown) => `${String(value)}!`,
  size: (value: unknown) => String(value).length,
  date: (value: unknown) => new Date(String(value)),
  map: (value: unknown) => new Map([['a', value]]),
  later: () => Promise.resolve(true),
  throws: () => {
    throw new Error('its own code throws');
  },
  string: () => z.string(),
  dates: { decode: (text: string) => new Date(text), encode: (date: Date) => date.toISOString() },
  json: { decode: (text: string) => JSON.parse(text) as unknown, encode: (value: unknown) => JSON.stringify(value) },
  date_class: Date,
  flag: { truthy: ['yes'], falsy: ['no'] },
  words: /^[a-z]+$/,
} as const;

/** The schemas that were made last, by their plans: a declaration is made again each time that it is mended. */
const made = new Map<string, z.ZodType>();
const MOST_MADE = 500;

/** The schema that a plan means. @throws what zod throws */
export function schemaOf(plan: SchemaPlan): z.ZodType {
  const text = JSON.stringify(plan);
  const known = made.get(text);
  if (known) return known;
  const schema = make(plan);
  if (made.size >= MOST_MADE) made.clear();
  made.set(text, schema);
  return schema;
}

function make(plan: SchemaPlan): z.ZodType {
  let on: unknown = z;
  for (const [method, ...args] of plan) {
    const path = method.split('.');
    const name = path.pop()!;
    for (const part of path) on = (on as Record<string, unknown>)[part];
    const methods = on as Record<string, (...given: readonly unknown[]) => unknown>;
    on = methods[name]!(...args.map(argumentOf));
  }
  return on as z.ZodType;
}

export function shapeOf(shape: Readonly<Record<string, SchemaPlan>>): z.ZodObject {
  return z.object(Object.fromEntries(Object.entries(shape).map(([name, plan]) => [name, schemaOf(plan)])));
}

function argumentOf(given: SchemaArgument): unknown {
  if ('schema' in given) return schemaOf(given.schema);
  if ('list' in given) return given.list.map(schemaOf);
  if ('shape' in given)
    return Object.fromEntries(Object.entries(given.shape).map(([name, each]) => [name, schemaOf(each)]));
  if ('code' in given) return CODES[given.code];
  return valueOf(given.value);
}

const text: SchemaPlan = [['string']];

const bare = (...names: readonly string[]): readonly SchemaPlan[] => names.map((name): SchemaPlan => [[name]]);

/** The schemas without parts. The first ones are what people use most. */
const PLAIN: readonly SchemaPlan[] = [
  ...bare('string', 'number', 'boolean', 'int', 'any', 'unknown'),
  [['codec', { schema: [['iso.datetime']] }, { schema: [['date']] }, { code: 'dates' }]],
  [['string'], ['min', { value: 1 }], ['max', { value: 5 }]],
  [['string'], ['regex', { code: 'words' }]],
  [['enum', { value: ['a', 'b'] }]],
  [['literal', { value: 'a' }]],
  ...bare('iso.date', 'iso.datetime', 'email', 'uuid', 'url', 'json', 'null', 'date', 'bigint', 'nan'),
  ...bare('undefined', 'void', 'never', 'symbol', 'coerce.date', 'coerce.number', 'coerce.string', 'coerce.bigint'),
  ...bare('coerce.boolean', 'int32', 'float32', 'int64', 'uint64', 'stringbool', 'cidrv4', 'base64', 'file'),
  [['string'], ['trim']],
  [['string'], ['toUpperCase']],
  [['number'], ['multipleOf', { value: 0.1 }]],
  [['number'], ['positive']],
  [['instanceof', { code: 'date_class' }]],
  [['custom', { code: 'yes' }]],
  [['string'], ['transform', { code: 'upper' }]],
  [['string'], ['transform', { code: 'louder' }]],
  [['string'], ['transform', { code: 'size' }]],
  [['string'], ['transform', { code: 'date' }]],
  [['string'], ['transform', { code: 'map' }]],
  [['string'], ['transform', { code: 'throws' }]],
  [['string'], ['transform', { code: 'size' }], ['pipe', { schema: [['number']] }]],
  [['codec', { schema: text }, { schema: [['any']] }, { code: 'json' }]],
  [['preprocess', { code: 'upper' }, { schema: text }]],
  [['string'], ['refine', { code: 'yes' }]],
  [['string'], ['refine', { code: 'no' }]],
  [['string'], ['refine', { code: 'later' }]],
  [['string'], ['refine', { code: 'throws' }]],
  [['lazy', { code: 'string' }]],
  [['string'], ['overwrite', { code: 'louder' }]],
];

/** Any schema; `depth` is how deep it may still have parts. */
export function drawSchema(random: Random, depth = 2, plainly = 0.5): SchemaPlan {
  const inner = () => drawSchema(random, depth - 1, plainly);
  if (depth > 0 && random.chance(0.3)) return wrapped(random, compound(random, inner));
  const few = random.chance(plainly) ? 10 : PLAIN.length;
  return wrapped(random, PLAIN[random.below(few)]!);
}

/** A schema whose value JSON carries as it is. */
export function drawPlain(random: Random): SchemaPlan {
  return PLAIN[random.below(4)]!;
}

function compound(random: Random, inner: () => SchemaPlan): SchemaPlan {
  const shape = () => ({ shape: { [random.pick(['a', 'b', 'kind', 'constructor'])]: inner(), n: inner() } });
  switch (random.below(13)) {
    case 0:
    case 1:
      return [['object', shape()]];
    case 2:
      return [['strictObject', shape()]];
    case 3:
      return [['looseObject', shape()]];
    case 4:
    case 5:
      return [['array', { schema: inner() }]];
    case 6:
      return [['tuple', { list: [inner(), inner()] }]];
    case 7:
      return [['record', { schema: text }, { schema: inner() }]];
    case 8:
      return [['map', { schema: text }, { schema: inner() }]];
    case 9:
      return [['set', { schema: inner() }]];
    case 10:
      return [['intersection', { schema: [['object', shape()]] }, { schema: [['object', shape()]] }]];
    case 11:
      return [
        [
          'discriminatedUnion',
          { value: 'kind' },
          {
            list: ['one', 'two'].map((kind): SchemaPlan => [
              ['object', { shape: { kind: [['literal', { value: kind }]], n: inner() } }],
            ]),
          },
        ],
      ];
    default:
      return [['union', { list: [inner(), inner()] }]];
  }
}

/** The kinds of schemas that refuse every function, whatever is inside of them. */
const TAKES_NO_FUNCTION = /^(string|number|int|boolean|literal|enum|object|array|tuple|record|email|url|uuid|iso\..*)$/;

/** Often with a default or the like. */
function wrapped(random: Random, plan: SchemaPlan): SchemaPlan {
  switch (random.below(20)) {
    case 0:
    case 1:
    case 2:
      return [...plan, ['default', { value: drawDefault(random, plan) }]];
    case 3:
    case 4:
    case 5:
      return [...plan, ['optional']];
    case 6:
      return [...plan, ['nullable']];
    case 7:
      return [...plan, ['nullish']];
    case 8:
      return [...plan, ['prefault', { value: drawDefault(random, plan) }]];
    case 9:
      return [...plan, ['catch', { value: drawDefault(random, plan) }]];
    case 10:
      // zod freezes what such a schema takes, and a member called 'constructor' takes a global: all of this process would be changed.
      return TAKES_NO_FUNCTION.test(plan[0]![0]) ? [...plan, ['readonly']] : plan;
    default:
      return plan;
  }
}

/** A first value: one so deep that not even its declaration can be read is none. */
export function drawDefault(random: Random, plan: SchemaPlan): ValuePlan {
  const value = drawFitting(random, plan) ?? null;
  return /"of":\d{5}/.test(JSON.stringify(value)) ? null : value;
}

/** A value that the schema takes, where one can be found; else any. */
export function drawFitting(random: Random, plan: SchemaPlan): ValuePlan | undefined {
  const schema = attempt(() => schemaOf(plan));
  for (let tries = 0; tries < 12; tries++) {
    const value = drawLike(random, plan);
    if (schema && attempt(() => schema.safeParse(valueOf(value)).success)) return value;
    // Code sees what a codec decodes to.
    if (schema && plan[0]![0] === 'codec' && attempt(() => z.safeEncode(schema, valueOf(value)).success)) return value;
  }
  return drawValue(random);
}

/** Any value; now and then a large one. */
export function drawValue(random: Random): ValuePlan {
  return random.chance(0.03) ? random.pick(LARGE) : random.pick(EDGES);
}

/** Values that fit schemas that refuse most of the edges. */
const FITTING: Readonly<Record<string, readonly ValuePlan[]>> = {
  string: ['a', 'b', '', 'é\u0301'],
  number: [0, 1, -1, 0.1, 1e21],
  int: [0, 1, -1, 7],
  boolean: [true, false],
  'iso.date': ['2024-02-29'],
  'iso.datetime': ['2024-02-29T12:00:00Z'],
  date: [{ $: 'date', of: 0 }],
  uuid: ['0f6b1a52-7a31-4c1d-9b06-3f1f0b4a9c11'],
  email: ['a@example.org'],
  url: ['https://example.org/'],
};

/** A value that is made as the schema is. */
function drawLike(random: Random, plan: SchemaPlan): ValuePlan {
  const [[method, first, second]] = plan as readonly [SchemaCall];
  const fitting = Object.hasOwn(FITTING, method) ? FITTING[method] : undefined;
  if (fitting && random.chance(0.6)) return random.pick(fitting);
  if (first && 'value' in first && Array.isArray(first.value)) return random.pick(first.value as readonly ValuePlan[]);
  if (method === 'literal' && first && 'value' in first) return first.value;
  if (method === 'codec' && first && 'schema' in first && second && 'schema' in second)
    return drawLike(random, random.chance(0.5) ? first.schema : second.schema);
  if (first && 'shape' in first) return drawShape(random, first.shape);
  if (method === 'array' && first && 'schema' in first) {
    return Array.from({ length: random.below(3) }, () => drawLike(random, first.schema));
  }
  if (first && 'list' in first) {
    return method === 'tuple'
      ? first.list.map((each) => drawLike(random, each))
      : drawLike(random, random.pick(first.list));
  }
  if (method === 'record' && second && 'schema' in second) {
    return { [random.pick(['a', 'constructor', 'é', '0'])]: drawLike(random, second.schema) };
  }
  if (method === 'discriminatedUnion' && second && 'list' in second) return drawLike(random, random.pick(second.list));
  if (method === 'string' && random.chance(0.02)) return random.pick(LARGE);
  return random.pick(EDGES);
}

/** Values for each member of a shape. */
export function drawShape(random: Random, shape: Readonly<Record<string, SchemaPlan>>): Record<string, ValuePlan> {
  return Object.fromEntries(Object.entries(shape).map(([name, each]) => [name, drawFitting(random, each) ?? null]));
}

function attempt<T>(make: () => T): T | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
