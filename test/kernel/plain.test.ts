import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plainCopy } from '../../src/definition/values/plain.js';
import { SPOILS, spoilt } from '../entities/diary.js';

const messageOf = (value: unknown) => {
  const copied = plainCopy(value, 'bag', true);
  return copied.plain ? undefined : `${copied.path}: ${copied.message}`;
};

describe('S1.5a a value that is stored', () => {
  it('is the same after JSON, whatever it is, or is refused with its place (plain.1, plain.3)', () => {
    fc.assert(
      fc.property(
        fc.anything({
          withBigInt: true,
          withDate: true,
          withMap: true,
          withSet: true,
          withTypedArray: true,
          withSparseArray: true,
          withNullPrototype: true,
        }),
        (value) => {
          const copied = plainCopy(value);
          if (!copied.plain) {
            expect(copied.message).toMatch(/\.$|^cannot be read/);
            return;
          }
          const text = JSON.stringify(copied.value);
          expect(text === undefined ? undefined : JSON.parse(text)).toEqual(copied.value);
        },
      ),
    );
  });

  it('is kept as it is where it is JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        fc.pre(!JSON.stringify(value).includes('__proto__'));
        expect(plainCopy(value)).toEqual({ plain: true, value: JSON.parse(JSON.stringify(value)) as unknown });
      }),
    );
  });

  it.each(SPOILS)('refuses %s', (how) => {
    expect(messageOf(spoilt(how))).toMatch(/^bag.*: /);
  });

  it('says where and why, and what to use', () => {
    expect(messageOf({ n: [1, 10n] })).toBe(
      'bag.n.1: a BigInt cannot be stored. Use its digits as a text, or declare a codec.',
    );
    expect(messageOf({ at: new Date(0) })).toContain('bag.at: a Date cannot be stored. Use its toISOString()');
    expect(messageOf(new URL('https://example.com'))).toContain('bag: an instance of URL');
    expect(messageOf([undefined])).toContain('bag.0: undefined in a list becomes null');
    expect(messageOf({ [Symbol('s')]: 1 })).toContain('a symbol as a key');
  });

  it('takes constructor as data, undefined as none, and -0 as 0 (plain.1, plain.2)', () => {
    expect(plainCopy({ constructor: { prototype: 1 }, gone: undefined, zero: -0 })).toEqual({
      plain: true,
      value: { constructor: { prototype: 1 }, zero: 0 },
    });
  });

  it('takes NUL and halves of characters where nothing is stored in a database', () => {
    expect(plainCopy('a\0\ud800')).toEqual({ plain: true, value: 'a\0\ud800' });
  });

  it('does not write out what is shared without end', () => {
    let shared: unknown = 1;
    for (let level = 0; level < 40; level++) shared = [shared, shared];
    expect(messageOf(shared)).toContain('more than 1000000 values');
  });
});
