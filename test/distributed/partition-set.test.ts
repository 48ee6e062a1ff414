import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  allPartitions,
  common,
  has,
  membersOf,
  partitionSet,
  sizeOf,
  union,
  without,
} from '../../src/distributed/index.js';

const numbers = fc.uniqueArray(fc.nat(60));
const ascending = (members: readonly number[]) => [...members].sort((one, other) => one - other);

describe('a set of partitions (I1)', () => {
  it('is written as people write it', () => {
    expect(partitionSet([4, 0, 1, 2, 9])).toBe('0-2,4,9');
    expect(partitionSet([])).toBe('');
    expect(allPartitions(10_000)).toBe('0-9999');
    expect(allPartitions(1)).toBe('0');
    expect(allPartitions(0)).toBe('');
  });

  it('has the members that it was made of', () => {
    fc.assert(
      fc.property(numbers, (some) => {
        expect(membersOf(partitionSet(some))).toEqual(ascending(some));
      }),
    );
  });

  it('is joined, taken away from and cut as sets are', () => {
    fc.assert(
      fc.property(numbers, numbers, (some, others) => {
        const [one, other] = [partitionSet(some), partitionSet(others)];
        expect(union(one, other)).toBe(partitionSet([...some, ...others]));
        expect(without(one, other)).toBe(partitionSet(some.filter((each) => !others.includes(each))));
        expect(common(one, other)).toBe(partitionSet(some.filter((each) => others.includes(each))));
        expect(sizeOf(one)).toBe(some.length);
        for (const each of others) expect(has(one, each)).toBe(some.includes(each));
      }),
    );
  });

  it('that is written wrongly is refused, with what is right', () => {
    for (const wrong of ['a', '3-1', '1,,2', '-4'])
      expect(() => membersOf(wrong)).toThrow('Write numbers and ranges, as in 0-99,120.');
  });
});
