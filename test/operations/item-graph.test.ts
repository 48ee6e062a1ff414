import { describe, expect, it } from 'vitest';
import { ItemGraph } from '../../src/operations/item-graph.js';
import type { Item } from '../../src/operations/status.js';

const item = (id: string, ...causes: readonly number[]): Item => ({
  ...{ id, kind: 'engagement', on: 'Box/b', state: 'open', causes },
});

describe('what causes what in an operation (S4.2)', () => {
  it('is told over any number of steps, and ends also where two have caused each other', () => {
    const items = [item('a'), item('b', 0), item('c', 1), item('d', 4), item('e', 3), item('f', 3, 2), item('g', 3)];
    const below = new ItemGraph(items).descendantsOf(0);
    expect(items.map((_, position) => below(position))).toEqual([true, true, true, false, false, true, false]);
  });

  it('is added to what is known, each cause once; who has to end it is learned where the end came first', () => {
    const graph = new ItemGraph([item('a'), item('b', 0)]);
    const { id, kind, on } = item('b');
    expect(graph.end({ id: 'early', kind: 'judgement', on: '' })).toBe(2);
    expect([
      graph.add({ id, kind, on }, [0, 2]),
      graph.add({ id: 'early', kind: 'judgement', on: 'Box/c' }, [0]),
    ]).toEqual([1, 2]);
    expect(graph.add({ id: 'new', kind, on }, [1])).toBe(3);
    expect(graph.all().slice(1)).toEqual([
      item('b', 0, 2),
      { id: 'early', kind: 'judgement', on: 'Box/c', state: 'ended', causes: [0] },
      item('new', 1),
    ]);
    expect([graph.find('new'), graph.find('never')]).toEqual([item('new', 1), undefined]);
    expect([graph.openCount, graph.open().map((each) => each.id)]).toEqual([3, ['a', 'b', 'new']]);
  });
});
