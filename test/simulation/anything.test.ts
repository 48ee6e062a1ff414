import { describe, expect, it } from 'vitest';
import { simulateAnything, takeDrawn } from '../../tools/simulation/anything/anything.js';
import { codeOf } from '../../tools/simulation/anything/code.js';
import { drawWorld } from '../../tools/simulation/anything/drawn-world.js';
import { same } from '../../tools/simulation/anything/same.js';
import { shrink } from '../../tools/simulation/anything/shrink.js';
import { EDGES, valueOf } from '../../tools/simulation/anything/value.js';

describe('the generator over all that the types allow', () => {
  it('draws the same world with the same seed, and writes it as code', () => {
    const [one, other] = [drawWorld(32, new Map()).plan!, drawWorld(32, new Map()).plan!];
    expect(one).toEqual(other);
    expect(codeOf(one)).toMatch(/defineEntity\('Type\d', {/);
  });

  it('lets check accept more than a third of the types, and meets most reasons for which it refuses', () => {
    const refusals = new Map<string, number>();
    let [drawn, accepted] = [0, 0];
    for (let seed = 1; seed <= 30; seed++) {
      const world = drawWorld(seed, refusals);
      drawn += world.drawn;
      accepted += world.accepted;
    }
    expect(accepted / drawn).toBeGreaterThan(1 / 3);
    expect(refusals.size).toBeGreaterThan(25);
  });

  it('plays worlds of which no invariant is broken', async () => {
    let steps = 0;
    for (let seed = 1; seed <= 20; seed++) steps += (await simulateAnything(seed)).steps;
    expect(steps).toBeGreaterThan(1_000);
    expect(takeDrawn().accepted).toBeGreaterThan(20);
  });

  it('makes a plan smaller while it still fails', async () => {
    const plan = { types: [{ a: [1, 2, 3], b: { bad: true, fine: 1 } }, { a: [4] }], requests: ['x'] };
    const fails = (each: object) => Promise.resolve(JSON.stringify(each).includes('bad'));
    expect(await shrink(plan, fails)).toEqual({ types: [{ b: { bad: true } }] });
  });

  it('compares values such as JSON does not carry', () => {
    const special = [
      'circular',
      'getter',
      'proxy',
      'function',
      'symbol',
      'promise',
      'toJSON',
      'otherJSON',
      'voiceless',
    ];
    const usual = EDGES.filter((plan) => !special.includes((plan as { readonly $?: string } | null)?.$ ?? ''));
    for (const plan of usual.filter(
      (each) => JSON.stringify(each).length < 2_000 && !JSON.stringify(each).includes('20000'),
    )) {
      expect(same(valueOf(plan), valueOf(plan)), JSON.stringify(plan)).toBe(true);
    }
    expect(same(-0, 0)).toBe(true);
    expect(same(NaN, 0)).toBe(false);
    expect(same(new Date(0), '1970-01-01T00:00:00.000Z')).toBe(false);
    expect(same(new Map([['a', 1]]), {})).toBe(false);
    expect(same(/a/, {})).toBe(false);
    expect(same({ a: undefined, b: 1 }, { b: 1 })).toBe(true);
  });
});

it('changes nothing that the tests after it share', () => {
  for (const shared of [Object, Function, Array, Error, Map, Set, Date, RegExp, Promise]) {
    expect(Object.isFrozen(shared), shared.name).toBe(false);
  }
});
