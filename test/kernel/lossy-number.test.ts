import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeLossyNumber, lossyNumber } from '../../src/protocol/lossy-number.js';

describe('S1.5a a number in JSON', () => {
  it.each([
    ['9007199254740993', ''],
    ['{"a":{"b":[1,-9007199254740993]}}', 'a.b.1'],
    ['{"a":1e400}', 'a'],
    ['[{"size":1},{"size":-1E999}]', '1.size'],
    ['{"a":1e-400}', 'a'],
    ['{"a\\"b":12345678901234567890}', 'a"b'],
  ])('is found in %s where it would be changed', (text, path) => {
    expect(lossyNumber(text)).toMatchObject({ path });
  });

  it.each([
    '9007199254740992',
    '{"a":0.1234567890123456789}',
    '[1e21,0e400,-0,1.5E3]',
    '{"id":"9007199254740993, 1e400"}',
  ])('is kept in %s', (text) => expect(lossyNumber(text)).toBeUndefined());

  it('is kept wherever JavaScript has written it', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => lossyNumber(JSON.stringify(value)) === undefined));
  });

  it('is told with its place, and what to do', () => {
    expect(describeLossyNumber({ path: 'a.0', text: '1e400' })).toBe(
      'a.0: the number 1e400 would become Infinity. Send a number that JavaScript can hold (whole numbers up to 2^53), or a text',
    );
  });
});
