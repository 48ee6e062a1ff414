import fc from 'fast-check';
import type { Row } from './things.js';

/*
 * Rows, and filters on them as text. What lies in JSON is often of another type than declared.
 */

const WORDS = ['', 'a', 'ab', 'Abc', "o'n", ' b ', '%_\\', 'é'];
const TIMES = ['2024-02-29T23:30:00Z', '2024-03-01T00:30:00+02:00', '2025-12-31T23:59:59.5Z', '1999-01-01T00:00:00Z'];
const DAYS = ['2024-02-29', '2024-03-01', '1999-01-01'];
const GUIDS = ['01234567-89ab-cdef-0123-456789abcdef', 'ffffffff-0000-4000-8000-000000000000'];
const ODD = [
  null,
  true,
  false,
  1.5,
  7,
  '7',
  'now',
  'infinity',
  '2024-02-31T00:00:00Z',
  '2024-02-31',
  '10:00',
  {},
  [],
  ['a'],
];

const word = fc.constantFrom(...WORDS);
const number = fc.integer({ min: -4, max: 4 });
const orNull = <T>(values: fc.Arbitrary<T>) => fc.option(values, { freq: 4 });
const orOdd = <T>(values: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: values }, fc.constantFrom(...ODD));

const properties = fc.record(
  {
    port: orOdd(number),
    host: orOdd(word),
    open: orOdd(fc.boolean()),
    since: orOdd(fc.constantFrom(...TIMES)),
    day: orOdd(fc.constantFrom(...DAYS)),
    ref: orOdd(fc.constantFrom(...GUIDS)),
    tags: orOdd(fc.array(orOdd(word), { maxLength: 3 })),
    address: orOdd(fc.record({ city: orOdd(word) })),
  },
  { requiredKeys: [] },
);

const columns = {
  name: orNull(word),
  outcome: orNull(fc.constantFrom('success', 'failed', 'hung')),
  size: orNull(number),
  ratio: orNull(fc.constantFrom(-1.5, 0, 0.25, 3)),
  flag: orNull(fc.boolean()),
  started: orNull(fc.constantFrom(...TIMES)),
  day: orNull(fc.constantFrom(...DAYS)),
  ref: orNull(fc.constantFrom(...GUIDS)),
  properties: fc.oneof({ weight: 5, arbitrary: properties }, fc.constant([]), fc.constant(null)),
};

const numbered = (rows: readonly Row[]) => rows.map((row, index): Row => ({ ...row, id: index + 1 }));

export const someThings = fc.array(fc.record(columns), { minLength: 1, maxLength: 12 }).map(numbered);
export const someParts = fc
  .array(fc.record({ thing: fc.integer({ min: 1, max: 4 }), name: orNull(word), size: orNull(number) }), {
    maxLength: 8,
  })
  .map(numbered);

const quoted = word.map((text) => `'${text.replaceAll("'", "''")}'`);
const comparison = fc.constantFrom('eq', 'ne', 'gt', 'ge', 'lt', 'le');
const sides = (side: fc.Arbitrary<string>) =>
  fc.tuple(side, comparison, side).map(([left, operator, right]) => `(${left} ${operator} ${right})`);

export const someFilter: fc.Arbitrary<string> = fc.letrec<Record<'condition' | 'text' | 'value' | 'time', string>>(
  (tie) => ({
    text: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('name', 'properties/host', 'properties/address/city', 'outcome'),
      quoted,
      fc.tuple(fc.constantFrom('tolower', 'toupper', 'trim'), tie('text')).map(([name, text]) => `${name}(${text})`),
      fc.tuple(tie('text'), tie('text')).map(([left, right]) => `concat(${left},${right})`),
      fc.tuple(tie('text'), number, number).map(([text, from, count]) => `substring(${text},${from},${count})`),
      tie('text').map((text) => `substring(${text},length(${text}) sub 2,properties/port)`),
    ),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      fc.constantFrom('size', 'ratio', 'properties/port', 'parts/$count', 'properties/tags/$count', 'null'),
      number.map(String),
      tie('text').map((text) => `length(${text})`),
      fc.tuple(tie('text'), tie('text')).map(([left, right]) => `indexof(${left},${right})`),
      fc
        .tuple(fc.constantFrom('year', 'month', 'day', 'hour', 'minute', 'second'), tie('time'))
        .map(([name, time]) => `${name}(${time})`),
      fc.tuple(tie('value'), fc.constantFrom('add', 'sub', 'mul'), number).map((parts) => `(${parts.join(' ')})`),
      fc
        .tuple(tie('value'), fc.constantFrom('div', 'divby', 'mod'), fc.constantFrom(2, 4, 0, -1))
        .map((parts) => `(${parts.join(' ')})`),
      tie('value').map((value) => `-(${value})`),
    ),
    time: fc.constantFrom('started', 'properties/since', ...TIMES),
    condition: fc.oneof(
      { depthSize: 'medium', withCrossShrink: true },
      fc.constantFrom(
        'flag',
        'properties/open',
        'true',
        'properties eq null',
        'properties/anything ne null',
        'parts/any()',
      ),
      sides(tie('value')),
      sides(
        fc
          .oneof(
            tie('text').filter((text) => text !== 'outcome'),
            fc.constant('null'),
          )
          .map((text) => `concat('',${text})`),
      ),
      sides(fc.oneof(tie('time'), fc.constant('null'), fc.constantFrom(...DAYS))).filter(comparesTime),
      sides(fc.constantFrom('day', 'properties/day', 'date(started)', ...DAYS)),
      sides(fc.constantFrom('ref', 'properties/ref', ...GUIDS)),
      fc.constantFrom("outcome eq 'failed'", "outcome in ('hung',null)", "not (outcome ne 'success')", 'size in ()'),
      fc
        .tuple(tie('value'), fc.array(number, { maxLength: 3 }))
        .map(([value, list]) => `(${value}) in (${list.join(',')})`),
      fc.tuple(tie('value'), number).map(([value, one]) => `(${value}) in (null,${one})`),
      fc
        .tuple(fc.constantFrom('contains', 'startswith', 'endswith'), tie('text'), tie('text'))
        .map(([name, left, right]) => `${name}(${left},${right})`),
      fc
        .tuple(fc.constantFrom('any', 'all'), quoted)
        .map(([quantifier, text]) => `properties/tags/${quantifier}(t:t le ${text} or t eq $it/name)`),
      fc
        .tuple(fc.constantFrom('any', 'all'), number)
        .map(([quantifier, size]) => `parts/${quantifier}(p:p/size gt ${size} and not (p/owner/name eq p/name))`),
      fc
        .tuple(fc.constantFrom('any', 'all'), fc.constantFrom('contains', 'startswith'), quoted, number)
        .map(([quantifier, name, text, size]) => {
          const named = `${name}(tolower(p/owner/name),${text})`;
          return `parts/${quantifier}(p:${named} or (not ${named} and ${name}(p/owner/name,p/name)) or p/size gt ${size})`;
        }),
      tie('condition').map((condition) => `not (${condition})`),
      fc
        .tuple(tie('condition'), fc.constantFrom('and', 'or', 'eq', 'ne'), tie('condition'))
        .map(([left, operator, right]) => `((${left}) ${operator} (${right}))`),
    ),
  }),
).condition;

/** A day is compared as a time only beside a time that is not a literal day. */
function comparesTime(filter: string): boolean {
  return /started|since|T\d\d/.test(filter);
}
