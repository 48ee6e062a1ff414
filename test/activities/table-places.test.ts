import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placementOf, partitionsOf, partWith, type LivePart } from '../../activities/tables/table-places.js';
import { partOf } from '../../workflows/partitioned-table/spread.js';

const instance = (application: string, place: string) => ({ application, place });
const table = (parts: readonly LivePart[]) => ({
  ...{ key: 'orders.sales/lines', version: 7, table: 'lines', keyColumn: 'id', partitions: 12 },
  parts,
});

describe('the partitions of a table (I7)', () => {
  it('are spread over its databases without gaps, and each has as many, but for one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 32 }), fc.integer({ min: 0, max: 2_000 }), (databases, more) => {
        const partitions = databases + more;
        const parts = Array.from({ length: databases }, (_, index) => partOf(partitions, index, databases));
        expect(parts[0]!.first).toBe(0);
        expect(parts.at(-1)!.last).toBe(partitions - 1);
        for (const [index, { first, last }] of parts.entries()) {
          if (index > 0) expect(first).toBe(parts[index - 1]!.last + 1);
          expect(last - first + 1).toBeGreaterThanOrEqual(Math.floor(partitions / databases));
          expect(last - first + 1).toBeLessThanOrEqual(Math.ceil(partitions / databases));
        }
      }),
    );
  });

  it('are held by the data clusters in which their databases and standbys are (I1)', () => {
    const parts: readonly LivePart[] = [
      {
        server: 'orders',
        database: 'a',
        first: 0,
        last: 3,
        primary: instance('a', 'east'),
        standby: instance('a.2', 'west'),
      },
      { server: 'orders', database: 'b', first: 4, last: 7, primary: instance('b', 'east') },
      { server: 'orders', database: 'c', first: 8, last: 8, primary: instance('c', 'west') },
    ];
    expect(placementOf(table(parts))).toEqual({
      version: 7,
      partitions: 12,
      places: { east: { primary: '0-7', secondary: '' }, west: { primary: '8', secondary: '0-3' } },
    });
    expect(partWith(table(parts), 5)).toBe(parts[1]);
    // The database of these is not there at the moment.
    expect(partWith(table(parts), 9)).toBeUndefined();
    expect(partitionsOf(parts[2]!)).toEqual([8]);
  });
});
