import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  all,
  DeclarationError,
  defineEntity,
  initial,
  keyOf,
  keyPartsOf,
  refTo,
  stable,
} from '../../src/definition/index.js';
import { keyIssues } from '../../src/definition/key-check.js';
import { joinTexts, splitText } from '../../src/definition/key-text.js';
import { Berth, Watch } from '../entities/berth.js';
import { Box } from '../entities/box.js';

const parts = { harbour: 'north', side: 'left', number: 7 } as const;
const machine = {
  properties: z.object({}),
  states: { Absent: initial(), Open: stable() },
  events: { open: { in: 'Absent' }, close: { in: 'Open' } },
  actions: { open: { on: 'open', in: 'Absent', to: 'Open' }, close: { on: 'close', in: 'Open', to: 'Absent' } },
} as const;

/** As from plain JavaScript, where no compiler has looked at it. */
function problemsOf(key: unknown, others: object = {}): readonly string[] {
  try {
    (defineEntity as unknown as (name: string, declaration: unknown) => void)('Thing', { ...machine, key, ...others });
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    return thrown.problems.map(({ place, problem }) => `${place}: ${problem}`);
  }
  return [];
}

describe('the text of a key of several parts (S1.1)', () => {
  const texts = fc.array(fc.string({ unit: fc.constantFrom('a', ',', '~', '0', '1', '/') }), {
    minLength: 1,
    maxLength: 4,
  });

  it('is one for each list of parts, of which it can be made again', () => {
    fc.assert(
      fc.property(texts, (list) => {
        expect(splitText(joinTexts(list))).toEqual(list);
      }),
    );
    fc.assert(
      fc.property(texts, texts, (one, other) => {
        expect(joinTexts(one) === joinTexts(other)).toBe(JSON.stringify(one) === JSON.stringify(other));
      }),
    );
    expect(joinTexts(['demo', 'sales'])).toBe('demo,sales');
    expect(joinTexts(['a,b', 'c~d'])).toBe('a~1b,c~0d');
  });

  it('is no other one: what is escaped in another way is none', () => {
    for (const text of ['a~', 'a~2', '~~', 'a,b~']) expect(splitText(text), text).toBeUndefined();
  });

  it('has the parts in the declared order, however they are given', () => {
    expect(keyOf(Berth, parts)).toBe('north,left,7');
    expect(keyOf(Berth, { number: -7, side: 'right', harbour: 'a, b' })).toBe('a~1 b,right,-7');
    expect(keyOf(Berth, 'north,left,7')).toBe('north,left,7');
    expect(keyPartsOf(Berth, 'a~1 b,right,-7')).toEqual({ number: -7, side: 'right', harbour: 'a, b' });
    expect(keyPartsOf(Box, 'a,b')).toBeUndefined();
    expect(refTo(Berth, parts)).toEqual({ type: 'Berth', key: 'north,left,7' });
  });
});

describe('a key (S1.1)', () => {
  it.each<[string, unknown, string, RegExp]>([
    ['a part is missing', { harbour: 'north', side: 'left' }, 'key.number', /expected/],
    ['a part is of another type', { ...parts, number: '7' }, 'key.number', /expected/],
    ['a part is not whole', { ...parts, number: 7.5 }, 'key.number', /int/],
    ['a part is out of its bounds', { ...parts, number: -100 }, 'key.number', /-99/],
    ['a part is no choice', { ...parts, side: 'front' }, 'key.side', /left/],
    [
      'a part is unknown',
      { ...parts, pier: 1 },
      'key.pier',
      /^is not a part of it: the parts are harbour, side, number$/,
    ],
    ['a part is empty', { ...parts, harbour: '' }, 'key.harbour', /^is empty$/],
    ['no URL can address a part', { ...parts, harbour: '..' }, 'key.harbour', /no URL/],
    ['a part holds half of a character', { ...parts, harbour: '\ud800' }, 'key.harbour', /surrogate/],
    ['it is nothing', undefined, 'key', /^is neither a text nor an object with harbour, side, number$/],
    ['it is a list', ['north', 'left', 7], 'key', /^is neither/],
    ['its text has too few parts', 'north,left', 'key', /form 'harbour,side,number'/],
    ['its text has too many parts', 'north,left,7,8', 'key', /form/],
    ['its text is not escaped', 'north~,left,7', 'key', /form/],
    ['its text has a number in other digits', 'north,left,07', 'key.number', /whole number/],
    ['its text has no number', 'north,left,seven', 'key.number', /whole number/],
    ['its text has an empty part', ',left,7', 'key.harbour', /^is empty$/],
    ['its text has no choice', 'north,front,7', 'key.side', /left/],
  ])('is none where %s, which it says by the name of the part', (_, given, path, message) => {
    expect(keyIssues(Berth, given)).toEqual([{ path, message: expect.stringMatching(message) as string }]);
  });

  it('is one where all parts fit', () => {
    expect(keyIssues(Berth, parts)).toEqual([]);
    expect(keyIssues(Berth, 'north,left,7')).toEqual([]);
    expect(keyIssues(Box, { name: 'a' })).toEqual([{ path: 'key', message: 'is one text, and has no parts' }]);
  });

  it('is refused to whoever makes its text, with the name of the part', () => {
    const wrong = { ...parts, number: '7' } as never;
    expect(() => keyOf(Berth, wrong)).toThrow(/^This is not a key of Berth: number: /);
    expect(() => keyPartsOf(Berth, 'north')).toThrow(/^'north' is not a key of Berth: .*'harbour,side,number'/);
    expect(() => all({ of: Berth, key: wrong, in: 'Open' })).toThrow(/^This is not a key of Berth: number: /);
  });

  it('is refused to whoever names an entity by it, where no workflow id can hold it (S1.5a)', () => {
    const harbour = ','.repeat(150);
    for (const key of ['x'.repeat(201), '..', '\ud800']) {
      expect(() => keyOf(Box, key)).toThrow(/^This is not a key of Box: /);
    }
    expect(() => keyOf(Berth, { ...parts, harbour })).toThrow(/^This is not a key of Berth: it has 307 characters/);
  });

  it('names a successor in a pattern by its parts', () => {
    expect(Watch.subscriptions['first']!.when).toMatchObject({ filter: { key: 'north~1 quay 1,left,1' } });
  });
});

describe('the declaration of a key (S1.5)', () => {
  it('takes texts, choices between texts and whole numbers', () => {
    const key = z.object({
      name: z.string().regex(/^[a-z]+$/),
      side: z.enum(['left', 'right']),
      kind: z.literal('berth'),
      day: z.iso.date(),
      id: z.uuid(),
      number: z.int(),
      level: z.number().int().min(0),
    });
    expect(problemsOf(key, { dimensions: { day: 'key.day', whole: 'key' } })).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['no parts', z.object({}), 'key: has no parts'],
    ['one part', z.object({ name: z.string() }), 'key: has only one part'],
    ['a part with a bad name', z.object({ 'a b': z.string(), c: z.string() }), "key.a b: 'a b' is not a valid name"],
    ['a flag', z.object({ a: z.boolean(), b: z.string() }), 'key.a: is not always a text or a whole number, unchanged'],
    [
      'a part that may be missing',
      z.object({ a: z.string().optional(), b: z.string() }),
      'key.a: is not always a text or a whole number, unchanged',
    ],
    [
      'a part with a default',
      z.object({ a: z.string().default('x'), b: z.string() }),
      'key.a: is not always a text or a whole number, unchanged',
    ],
    ['any number', z.object({ a: z.number(), b: z.string() }), 'key.a: may be no whole number'],
    ['numbers to choose from', z.object({ a: z.literal([1, 2]), b: z.string() }), 'key.a: is not a text'],
    ['a part that is trimmed', z.object({ a: z.string().trim(), b: z.string() }), 'key.a: changes the given value'],
    ['a part that is made to fit', z.object({ a: z.coerce.string(), b: z.string() }), 'key.a: changes the given value'],
    [
      'a part that is changed',
      z.object({ a: z.string().transform((a) => a), b: z.string() }),
      'key.a: is not always a text or a whole number, unchanged',
    ],
  ])('with %s is refused, with its place', (_, key, expected) => {
    expect(problemsOf(key)).toEqual([expected]);
  });

  it('has no dimension of a part that is not there', () => {
    const key = z.object({ a: z.string(), b: z.string() });
    expect(problemsOf(key, { dimensions: { c: 'key.c' } })).toEqual(["dimensions.c: there is no 'key.c'"]);
  });
});
