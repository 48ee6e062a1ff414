import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { survivalProblems, type ValueUse } from '../../src/definition/values/survival.js';

const USES: readonly ValueUse[] = ['taken', 'made', 'kept'];
const day = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});
const count = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), { decode: BigInt, encode: String });
const toNumber = z.string().regex(/^\d+$/).transform(Number);
interface Tree {
  readonly name: string;
  readonly under: readonly Tree[];
}
const tree: z.ZodType<Tree> = z.object({ name: z.string(), under: z.array(z.lazy(() => tree)) });
const dated: z.ZodType = z.object({ at: z.date(), next: z.lazy(() => dated).optional() });

/** Each kind of schema, with the uses for which its values survive. */
const KINDS: Readonly<Record<string, readonly [schema: z.ZodType, survives: readonly ValueUse[]]>> = {
  string: [z.string(), USES],
  'string with checks': [z.string().min(1).max(9).regex(/a/).trim().toLowerCase(), USES],
  email: [z.email(), USES],
  uuid: [z.uuid(), USES],
  url: [z.url(), USES],
  'iso date and time': [z.union([z.iso.datetime(), z.iso.date(), z.iso.time(), z.iso.duration()]), USES],
  'other formats': [
    z.union([z.jwt(), z.emoji(), z.ipv4(), z.cidrv6(), z.base64(), z.e164(), z.hash('md5'), z.hex()]),
    USES,
  ],
  'format of one’s own': [z.stringFormat('even', (text) => text.length % 2 === 0), USES],
  number: [z.number(), USES],
  int: [z.int(), USES],
  'int32 and floats': [z.union([z.int32(), z.uint32(), z.float32(), z.float64()]), USES],
  boolean: [z.boolean(), USES],
  null: [z.null(), USES],
  any: [z.any(), USES],
  unknown: [z.unknown(), USES],
  never: [z.never(), USES],
  json: [z.json(), USES],
  enum: [z.enum(['a', 'b']), USES],
  'native enum': [z.enum({ One: 1, Two: 'two' } as const), USES],
  literal: [z.literal(['a', 1, true, null]), USES],
  'literal undefined': [z.literal(undefined), USES],
  'literal bigint': [z.literal(1n), []],
  'literal infinity': [z.literal(Infinity), []],
  'template literal': [z.templateLiteral([z.number(), 'px']), USES],
  undefined: [z.undefined(), USES],
  void: [z.void(), USES],
  optional: [z.string().optional(), USES],
  'exact optional': [z.object({ a: z.string().exactOptional() }), USES],
  nullable: [z.string().nullable(), USES],
  nullish: [z.string().nullish(), USES],
  nonoptional: [z.string().optional().nonoptional(), USES],
  readonly: [z.object({ a: z.array(z.string()) }).readonly(), USES],
  brand: [z.string().brand('Name'), USES],
  default: [z.number().default(1), USES],
  prefault: [z.string().prefault('a'), USES],
  catch: [z.number().catch(0), USES],
  describe: [z.string().describe('a').meta({ title: 'A' }), USES],
  object: [z.object({ a: z.string(), b: z.number().optional() }), USES],
  'strict object': [z.strictObject({ a: z.string() }), USES],
  'loose object': [z.looseObject({ a: z.string() }), USES],
  catchall: [z.object({}).catchall(z.number()), USES],
  array: [z.array(z.string()), USES],
  tuple: [z.tuple([z.string(), z.number()], z.boolean()), USES],
  'tuple with an optional end': [z.tuple([z.string(), z.string().optional()]), USES],
  record: [z.record(z.string(), z.number()), USES],
  'record of an enum': [z.record(z.enum(['a', 'b']), z.number()), USES],
  'partial record': [z.partialRecord(z.enum(['a', 'b']), z.number()), USES],
  'loose record': [z.looseRecord(z.string().regex(/^a/), z.number()), USES],
  'record of numbers': [z.record(z.number(), z.string()), USES],
  'record of symbols': [z.record(z.symbol(), z.string()), []],
  union: [z.union([z.string(), z.number()]), USES],
  xor: [z.xor([z.string(), z.number()]), USES],
  'discriminated union': [
    z.discriminatedUnion('kind', [z.object({ kind: z.literal('a') }), z.object({ kind: z.literal('b') })]),
    USES,
  ],
  intersection: [z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })), USES],
  lazy: [z.lazy(() => z.string()), USES],
  recursive: [tree, USES],
  refinement: [z.number().refine((n) => n % 2 === 0), USES],
  'refinement of an object': [z.object({ a: z.number(), b: z.number() }).superRefine(() => undefined), USES],
  custom: [z.custom<`${number}px`>((value) => typeof value === 'string' && value.endsWith('px')), USES],
  overwrite: [z.string().overwrite((text) => text.trim()), USES],
  'overwrite that goes on': [z.string().overwrite((text) => `${text}!`), ['taken', 'made']],
  'pipe of texts': [z.string().pipe(z.string().min(1)), USES],
  stringbool: [z.stringbool(), USES],
  'coerced number': [z.coerce.number(), USES],
  'coerced string': [z.coerce.string(), USES],
  'coerced boolean': [z.coerce.boolean(), USES],
  'coerced date': [z.coerce.date(), ['taken']],
  'coerced bigint': [z.coerce.bigint(), ['taken']],
  'coerced date, as a text': [z.coerce.date().transform((date) => date.toISOString()), USES],
  'transform of the same type': [z.string().transform((text) => text.trim()), USES],
  'transform to another type': [toNumber, ['taken', 'made']],
  'transform that both types take': [z.union([z.number(), toNumber]), USES],
  'transform of a member': [z.object({ a: z.object({ b: toNumber }) }), ['taken', 'made']],
  'transform to a date': [z.iso.datetime().transform((text) => new Date(text)), ['taken']],
  'transform to a map': [z.array(z.tuple([z.string(), z.number()])).transform((all) => new Map(all)), ['taken']],
  'transform to a function': [z.any().transform(() => () => 1), ['taken']],
  'transform of a refined union': [
    z.union([z.strictObject({ from: z.string() }), z.strictObject({ cidr: z.string() })]).transform((of) => ({ of })),
    ['taken', 'made'],
  ],
  preprocess: [z.preprocess((value) => (typeof value === 'string' ? Number(value) : value), z.number()), USES],
  'preprocess to a date': [z.preprocess((value) => new Date(value as string), z.date()), ['taken']],
  'asynchronous transform': [z.string().transform(async (text) => text), []],
  'asynchronous refinement': [z.string().refine(async () => true), []],
  'codec of a date': [day, USES],
  'codec of a bigint': [count, USES],
  'codec within': [z.object({ due: day.optional(), all: z.array(day), by: z.record(z.string(), count) }), USES],
  'codec with a default': [day.default(new Date(0)), USES],
  'codec beside a transform': [z.object({ due: day, name: z.string().transform((text) => text.trim()) }), ['taken']],
  'codec that loses': [z.codec(z.string(), z.number(), { decode: (text) => text.length, encode: String }), ['taken']],
  'codec to a date': [z.codec(z.date(), z.string(), { decode: String, encode: (text) => new Date(text) }), []],
  'codec that encodes no JSON': [
    z.codec(z.any(), z.string(), { decode: (value) => String(value), encode: () => new Map() }),
    ['taken'],
  ],
  date: [z.date(), []],
  bigint: [z.bigint(), []],
  int64: [z.int64(), []],
  uint64: [z.uint64(), []],
  nan: [z.nan(), []],
  map: [z.map(z.string(), z.number()), []],
  set: [z.set(z.string()), []],
  symbol: [z.symbol(), []],
  file: [z.file(), []],
  promise: [z.promise(z.string()), []],
  function: [z.function() as unknown as z.ZodType, []],
  instance: [z.instanceof(URL), []],
  'date within': [z.object({ a: z.array(z.object({ b: z.date().nullable().optional() })) }), []],
  'date in a union': [z.union([z.string(), z.date()]), []],
  'date in a recursive schema': [dated, []],
  'undefined in a list': [z.array(z.string().optional()), []],
  'undefined in a union in a list': [z.array(z.union([z.string(), z.undefined()])), []],
  'undefined that is caught in a list': [z.array(z.void().catch(undefined)), []],
  'undefined in a tuple': [z.tuple([z.void(), z.json()]), []],
  'undefined in a union in a tuple': [z.tuple([z.union([z.string(), z.undefined()]), z.json()]), []],
  'undefined that is caught in a tuple': [z.tuple([z.void().catch(undefined), z.json()]), []],
  'default that is a date': [z.any().default(new Date(0)), ['taken']],
  'prefault that is a date': [z.any().prefault(new Date(0)), []],
  'member that is undefined': [z.object({ a: z.undefined() }), []],
  'member that is void': [z.strictObject({ a: z.string(), n: z.void() }), []],
  'member that may be void': [z.object({ a: z.void().optional() }), USES],
  'default with a member that JSON leaves out': [z.object({ a: z.unknown() }).default({ a: undefined }), ['taken']],
  'member __proto__': [z.object({ ['__proto__']: z.string() }), []],
  'member that objects inherit': [z.object({ constructor: z.any().readonly().optional() }), []],
  success: [z.success(z.string()) as z.ZodType, ['taken', 'made']],
};

describe('S1.5 S1.5a which values survive JSON', () => {
  test('has each kind of schema that zod has', () => {
    const seen = new Set<string>();
    const note = (schema: z.core.$ZodType): void => void seen.add(schema._zod.def.type);
    for (const [schema] of Object.values(KINDS)) note(schema);
    const nested = ['default', 'transform'];
    const all =
      'string number boolean bigint symbol null undefined void never any unknown date object record file array tuple union intersection map set enum literal nullable optional nonoptional success prefault catch nan pipe readonly template_literal promise lazy function custom';
    expect(all.split(' ').filter((type) => !seen.has(type) && !nested.includes(type))).toEqual([]);
  });

  test.each(Object.entries(KINDS))('%s', (_, [schema, survives]) => {
    const found = USES.filter((use) => survivalProblems(schema, 'properties.x', use).length === 0);
    expect(found).toEqual(survives);
  });
});
