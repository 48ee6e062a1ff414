import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { codePlaces } from '../../src/definition/evolution/code-places.js';
import type { Model } from '../../src/definition/evolution/model.js';
import { compareModels, isOpen } from '../../src/definition/evolution/compare.js';
import { INCOMPATIBLE, modelAfter, SAFE, type Declaration } from './changes.js';

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

  it('Q2 finds no difference in code of the same text, and says where it saw no more than that', () => {
    const refined = (text: string) =>
      modelAfter((d) => {
        d.properties['note'] = z
          .string()
          .refine((note) => note !== text)
          .optional();
        d.whole = (properties) => properties.refine(({ size }) => size !== text);
        d.properties['when'] = z.codec(z.string(), z.number(), { decode: Number, encode: String }).optional();
        d.properties['words'] = z.stringbool({ truthy: ['yes'], falsy: ['no'] }).optional();
        d.calls['pack'] = { input: z.object({ box: z.string().trim().default('') }), output: z.object({}) };
      });
    const [one, other] = [refined('a'), refined('b')];
    expect(compareModels(one, other)).toEqual([]);
    expect(codePlaces(other)).toEqual([
      ...['Order.properties', 'resources.packing.pack', 'components.Lamp', 'distributed.buildIndex'],
    ]);
  });

  it('Q2 never takes code that nobody can read for the same, and tells words for yes and no apart', () => {
    const hidden = modelAfter(
      (d) =>
        (d.properties['note'] = z
          .string()
          .superRefine(() => undefined)
          .optional()),
    );
    const [change] = compareModels(hidden, hidden).filter(isOpen);
    expect(change?.place).toBe('Order.properties.note');
    expect(change?.sentence).toContain('cannot be compared');
    const [yes, ja] = ['yes', 'ja'].map((word) =>
      modelAfter((d) => (d.properties['words'] = z.stringbool({ truthy: [word], falsy: ['no'] }).optional())),
    );
    expect(compareModels(yes!, yes!)).toEqual([]);
    expect(compareModels(yes!, ja!).filter(isOpen)).not.toEqual([]);
  });

  it('Q2 reports a migration that is gone, or other code, and an old name that is not known any more', () => {
    const migrated = (alter: (d: Declaration) => void) =>
      modelAfter((d) => {
        d.schema = 2;
        d.migrations = { 2: () => ({}) };
        d.renamed = { events: { put: 'place' } };
        alter(d);
      });
    const old = migrated(() => undefined);
    const places = (next: Model) => compareModels(old, next).map(({ class: kind, place }) => [kind, place]);
    expect(places(migrated(() => undefined))).toEqual([]);
    expect(places(migrated((d) => (d.migrations = { 2: () => ({ links: {} }) })))).toEqual([
      ['needs-migration', 'Order.migrations.2'],
    ]);
    expect(places(migrated((d) => (d.renamed = {})))).toEqual([['breaks-callers', 'Order.renamed.events.put']]);
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
