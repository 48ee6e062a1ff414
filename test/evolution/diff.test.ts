import { describe, expect, it } from 'vitest';
import { compareModels, isOpen } from '../../src/definition/evolution/compare.js';
import { INCOMPATIBLE, modelAfter, SAFE } from './changes.js';

const base = modelAfter(() => undefined);

describe('the comparison of two models', () => {
  it('Q2 is planted with at least 40 changes of each kind', () => {
    expect(INCOMPATIBLE.length).toBeGreaterThanOrEqual(40);
    expect(SAFE.length).toBeGreaterThanOrEqual(40);
  });

  it('Q2 finds no difference where there is none, and a model survives a file', () => {
    expect(
      compareModels(
        base,
        modelAfter(() => undefined),
      ),
    ).toEqual([]);
    expect(compareModels(JSON.parse(JSON.stringify(base)) as typeof base, base)).toEqual([]);
  });

  for (const { what, alter, finds } of INCOMPATIBLE) {
    it(`Q2 incompatible: ${what}`, () => {
      const open = compareModels(base, modelAfter(alter)).filter(isOpen);
      expect(open.map(({ class: kind, place }) => [kind, place])).toEqual(
        expect.arrayContaining(finds.map(([kind, place]) => [kind, place])),
      );
      expect(open.map(({ place }) => place)).toHaveLength(finds.length);
      for (const [kind, place, remedy] of finds) {
        expect(open.find((each) => each.class === kind && each.place === place)?.remedy).toMatch(remedy);
      }
    });
  }

  for (const { what, alter } of SAFE) {
    it(`Q2 safe: ${what}`, () => {
      const changes = compareModels(base, modelAfter(alter));
      expect(changes.filter(isOpen)).toEqual([]);
      expect(changes.length).toBeGreaterThan(0);
    });
  }
});
