import { describe, expect, it } from 'vitest';
import { contentFingerprint, idFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { addOlder, findOlder } from '../../src/kernel/ledger/older-requests.js';
import { timedUuid } from '../../src/protocol/request-id.js';
import type { OlderRequests } from '../../src/protocol/snapshot.js';

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

describe('fingerprints of long ago (S2.5, ledger.3)', () => {
  const SIZES = { block: 1_000, blocks: 16 };
  const name = (index: number) => `request-${index}`;
  const content = (index: number) => `c${String(index % 1_000).padStart(3, '0')}`;
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) => ({ id: name(from + index), fingerprint: content(from + index) }));
  const prints = (aged: ReturnType<typeof many>) =>
    aged
      .map(({ id, fingerprint }) => idFingerprint(id) + fingerprint)
      .sort()
      .join('');
  const add = (blocks: readonly OlderRequests[], aged: ReturnType<typeof many>) =>
    addOlder(blocks, aged, SIZES, undefined);
  const find = (blocks: readonly OlderRequests[], index: number) => findOlder(blocks, idFingerprint(name(index)));

  it('fill blocks of 1,000, each sorted, the newest last', () => {
    const { blocks, forgotten } = add([], many(2_001));
    expect([blocks.map(({ fingerprints }) => fingerprints.length), forgotten]).toEqual([[12_000, 12_000, 12], 0]);
    expect(blocks[0]!.fingerprints).toBe(prints(many(1_000)));
    const more = add(blocks, many(2, 5_000));
    expect(more.blocks.slice(0, 2)).toEqual(blocks.slice(0, 2));
    expect(more.blocks[2]!.fingerprints).toBe(prints([...many(1, 2_000), ...many(2, 5_000)]));
    const exact = add(add([], many(1_000)).blocks, many(1, 2_000));
    expect(exact.blocks.map(({ fingerprints }) => fingerprints.length)).toEqual([12_000, 12]);
  });

  it('are forgotten by blocks, the oldest first, once there are more than 16', () => {
    const { blocks } = add([], many(16_000));
    const { blocks: left, forgotten } = add(blocks, many(1, 20_000));
    expect([left.length, forgotten, find(left, 999), find(left, 1_000)]).toEqual([16, 1_000, undefined, 'c000']);
  });

  it('leave the latest time of their ids behind, and whether some carry none (ledger.4)', () => {
    const uuid = (at: number) => ({ id: timedUuid('01234567-89ab-4def-8123-456789abcdef', at), fingerprint: 'cccc' });
    const small = { block: 2, blocks: 1 };
    const first = addOlder([], [uuid(2_000), uuid(1_000)], small, undefined);
    expect(first).toMatchObject({ forgotten: 0, horizon: undefined, blocks: [{ time: 2_000 }] });
    const second = addOlder(first.blocks, [uuid(1_500), uuid(1_600)], small, first.horizon);
    expect(second).toMatchObject({ forgotten: 2, blocks: [{ time: 1_600 }] });
    expect(second.horizon).toEqual({ time: 2_000 });
    const third = addOlder(second.blocks, [{ id: 'mine', fingerprint: 'cccc' }, uuid(3_000)], small, second.horizon);
    expect(third.horizon).toEqual({ time: 2_000 });
    const fourth = addOlder(third.blocks, [uuid(1)], small, third.horizon);
    expect(fourth.horizon).toEqual({ time: 3_000, untimed: true });
    expect(addOlder(fourth.blocks, [uuid(2), uuid(3)], small, fourth.horizon).horizon).toEqual(fourth.horizon);
  });

  it('are found wherever they lie, and nothing else is', () => {
    const { blocks } = add([], [...many(1_000), ...many(5, 2_000)]);
    for (const index of [0, 1, 500, 998, 999, 2_000, 2_004]) expect(find(blocks, index)).toBe(content(index));
    for (const index of [1_000, 2_005]) expect(find(blocks, index)).toBeUndefined();
    expect([findOlder(blocks, 'aaaaaaaa'), find([], 0)]).toEqual([undefined, undefined]);
  });
});
