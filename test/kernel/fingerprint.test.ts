import { describe, expect, it } from 'vitest';
import { contentFingerprint, idFingerprint } from '../../src/kernel/fingerprint.js';
import { addOlder, findOlder } from '../../src/kernel/older-requests.js';

describe('fingerprints lie in snapshots, so they are the same in every version (S2.5, Q2)', () => {
  it.each([
    ['', '7o2Di9y4'],
    ['a', 'yXkBHCun'],
    ['place-id', 'odeweS1B'],
    ['Room/r#life/3/order/place/1', 'v4BTtUSp'],
  ])('of the id %j', (id, expected) => {
    expect(idFingerprint(id)).toBe(expected);
  });

  it.each([
    [{ event: 'place' }, '0IHq'],
    [{ event: 'place', params: { label: 'x', list: [1, { b: 2, a: null }] } }, 'YOHq'],
    [{ event: 'created', construct: { size: 1 } }, 'B6Ih'],
  ])('of the content %j', (content, expected) => {
    expect(contentFingerprint(content)).toBe(expected);
  });

  it('of the same content are the same, whatever the order of members and what is left out', () => {
    const content = (params: unknown) => contentFingerprint({ event: 'e', params });
    expect(content({ a: 1, b: { c: 2, d: 3 } })).toBe(content({ b: { d: 3, c: 2, e: undefined }, a: 1 }));
    expect(content(undefined)).toBe(content(null));
    expect(content([1, 2])).not.toBe(content([2, 1]));
    expect(content({ 0: 1 })).not.toBe(content([1]));
    expect(contentFingerprint({ event: 'e', construct: { a: 1, b: 2 } })).toBe(
      contentFingerprint({ event: 'e', construct: { b: 2, a: 1 } }),
    );
  });
});

describe('fingerprints of long ago (S2.5, B3)', () => {
  const name = (index: number) => `id${String(index).padStart(6, '0')}`;
  const print = (index: number) => `${name(index)}c${String(index % 1_000).padStart(3, '0')}`;
  const many = (count: number, from = 0) => Array.from({ length: count }, (_, index) => print(from + index));

  it('fill blocks of 1,000, each sorted, the newest last', () => {
    const { blocks, forgotten } = addOlder([], many(2_001).reverse());
    expect([blocks.map(({ length }) => length), forgotten]).toEqual([[12_000, 12_000, 12], 0]);
    expect(blocks[0]).toBe(many(1_000, 1_001).join(''));
    const more = addOlder(blocks, many(2, 5_000));
    expect(more.blocks.slice(0, 2)).toEqual(blocks.slice(0, 2));
    expect(more.blocks[2]).toBe(print(0) + many(2, 5_000).join(''));
    const exact = addOlder([many(1_000).join('')], many(1, 2_000));
    expect(exact.blocks.map(({ length }) => length)).toEqual([12_000, 12]);
  });

  it('are forgotten by blocks, the oldest first, once there are more than 16', () => {
    const { blocks } = addOlder([], many(16_000));
    const { blocks: left, forgotten } = addOlder(blocks, many(1, 20_000));
    expect([left.length, forgotten, findOlder(left, name(999)), findOlder(left, name(1_000))]).toEqual([
      16,
      1_000,
      undefined,
      'c000',
    ]);
  });

  it('are found wherever they lie, and nothing else is', () => {
    const { blocks } = addOlder([], [...many(1_000), ...many(5, 2_000)]);
    for (const index of [0, 1, 500, 998, 999, 2_000, 2_004])
      expect(findOlder(blocks, name(index))).toBe(print(index).slice(8));
    for (const index of [1_000, 2_005]) expect(findOlder(blocks, name(index))).toBeUndefined();
    expect([findOlder(blocks, 'aaaaaaaa'), findOlder([], name(0))]).toEqual([undefined, undefined]);
  });
});
