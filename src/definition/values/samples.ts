/*
 * Values of JSON that a schema may take: enough to see what its transforms make of them. The same ones each time.
 */
import { z } from 'zod';
import { defOf, innerOf, membersOf, type AnySchema } from './schema-parts.js';

const MOST = 16;
const DEEPEST = 6;

const TEXTS = [
  ...['a', '12', ' Ab ', '', 'true', '-0.5', 'abcdefghijklmnopqrstuvwxyz', '00000000000000000000'],
  ...[
    '2026-01-02T03:04:05Z',
    '2026-01-02T03:04:05.678+01:00',
    '2026-01-02T03:04:05',
    '2026-01-02',
    '03:04:05',
    'P1DT2H',
  ],
  ...[
    'a@example.com',
    'https://example.com/a',
    'example.com',
    '10.0.0.1',
    '10.0.0.0/8',
    '2001:db8::1',
    '2001:db8::/32',
  ],
  ...[
    '3f2b1c4d-5e6f-4a7b-8c9d-0e1f2a3b4c5d',
    'YWJj',
    'YWI',
    'a0',
    '+491701234567',
    '#00ff00',
    '{"a":1}',
    '1,2',
    '10px',
    '30s',
  ],
];
const NUMBERS = [1, 0, -1, 2, 10, 1.5, 42, 100, 1_000_000, 2 ** 31, 1e21];
const ANYTHING = [
  ...TEXTS.slice(0, 12),
  ...NUMBERS.slice(0, 4),
  true,
  false,
  null,
  [],
  {},
  ['a'],
  [['a', 1]],
  { a: 1 },
];

export function samplesOf(schema: AnySchema, depth = 0): readonly unknown[] {
  if (depth > DEEPEST) return [];
  const def = defOf(schema);
  const of = (part: AnySchema | null | undefined) => (part ? samplesOf(part, depth + 1) : []);
  switch (def.type) {
    case 'string':
      return taken(schema, TEXTS);
    case 'number': {
      const { minimum, maximum } = (schema as z.core.$ZodNumber)._zod.bag;
      return taken(schema, [...NUMBERS, ...[minimum, maximum].filter((bound) => typeof bound === 'number')]);
    }
    case 'bigint':
    case 'date':
      return def.coerce ? taken(schema, ANYTHING) : [];
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    case 'undefined':
    case 'void':
      return [undefined];
    case 'literal':
      return def.values.slice(0, MOST);
    case 'enum':
      return Object.values(def.entries).slice(0, MOST);
    case 'template_literal':
      return taken(schema, templates(def.parts, depth));
    case 'any':
    case 'unknown':
    case 'transform':
      return ANYTHING;
    case 'custom':
      return taken(schema, ANYTHING);
    case 'array': {
      const some = of(def.element);
      return [...some.slice(0, 8).map((each) => [each]), [], some.slice(0, 2), some];
    }
    case 'tuple': {
      const items = def.items.map(of);
      const rest = of(def.rest).slice(0, 1);
      return each(items).map((list) => [...list, ...rest]);
    }
    case 'record': {
      const [names, some] = [of(def.keyType).filter(isName), of(def.valueType)];
      if (names.length === 0) return [{}];
      const whole = Object.fromEntries(names.map((name) => [name, some[0]]));
      return [...some.slice(0, 8).map((value) => ({ [names[0]!]: value })), {}, whole];
    }
    case 'object':
      return objects(membersOf(schema).map(([name, member]) => [name, of(member)] as const));
    case 'union':
      return interleaved(def.options.map(of));
    case 'intersection':
      return each([of(def.left), of(def.right)]).map(([left, right]) =>
        isObject(left) && isObject(right) ? { ...left, ...right } : left,
      );
    case 'lazy':
      return of(innerOf(schema));
    case 'pipe':
      return defOf(def.in).type === 'transform' ? interleaved([of(def.out), ANYTHING]).slice(0, 2 * MOST) : of(def.in);
    case 'nullable':
      return [...of(def.innerType), null];
    case 'optional':
    case 'default':
    case 'prefault':
    case 'catch':
      return [...of(def.innerType), undefined];
    case 'nonoptional':
    case 'readonly':
    case 'success':
      return of(def.innerType);
    default:
      return [];
  }
}

/** Those that the schema takes by itself. */
function taken(schema: AnySchema, given: readonly unknown[]): readonly unknown[] {
  return given.filter((value) => takes(schema, value)).slice(0, MOST);
}

function takes(schema: AnySchema, value: unknown): boolean {
  try {
    return z.safeParse(schema, value).success;
  } catch {
    // Code of its author has thrown, or is asynchronous: the trial tells that.
    return true;
  }
}

/** Each sample of each member once, and objects without those that may be left out. */
function objects(members: readonly (readonly [name: string, samples: readonly unknown[]])[]): readonly unknown[] {
  const full = each(members.map(([, samples]) => samples)).map((values) =>
    Object.fromEntries(members.map(([name], index) => [name, values[index]] as const)),
  );
  const least = members.flatMap(([name, samples]) =>
    samples.includes(undefined) ? [] : [[name, samples[0]] as const],
  );
  return [...full, Object.fromEntries(least)];
}

/** Lists that have each value at its place, as many as the longest place has. */
function each(places: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  const most = Math.min(MOST, Math.max(1, ...places.map(({ length }) => length)));
  return Array.from({ length: most }, (_, n) => places.map((values) => values[n % Math.max(1, values.length)]));
}

function interleaved(lists: readonly (readonly unknown[])[]): readonly unknown[] {
  const most = Math.max(0, ...lists.map(({ length }) => length));
  return Array.from({ length: most }, (_, n) => lists.flatMap((list) => (n < list.length ? [list[n]] : []))).flat();
}

function templates(parts: readonly unknown[], depth: number): readonly string[] {
  const texts = parts.map((part) =>
    typeof part === 'object' && part !== null ? samplesOf(part as AnySchema, depth + 1) : [part],
  );
  return each(texts).map((values) => values.map(String).join(''));
}

const isName = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';
const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
