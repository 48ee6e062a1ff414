import { expect, it } from 'vitest';
import type { Fact, Overview } from '../../src/simulation/fact.js';
import { nothingLost } from '../../src/simulation/invariants/nothing-lost.js';

const to = { type: 'Ship', key: 'a' };
const request = { id: 'r1', event: 'sail' };
const waiting = { kind: 'answered', to, life: 'l1', request, answer: { status: 'waiting', operation: 'r1' } } as Fact;
const rejected = {
  kind: 'told',
  operation: 'r1',
  by: { id: 'Ship/a', life: 'l1' },
  message: { kind: 'ended', engagement: 'r1', event: 'sail', outcome: { rejection: { code: 'not_valid' } } },
} as unknown as Fact;
const quiet = { kind: 'quiet' } as Fact;

function heard(...facts: readonly Fact[]): readonly (string | undefined)[] {
  const invariant = nothingLost();
  return facts.map((fact) => invariant.hear(fact, {} as Overview));
}

it('finds an event that waited, and came to nothing (S4.1)', () => {
  expect(heard(waiting, quiet).at(-1)).toBe(
    `'sail' on Ship/a, which waited (Ship/a r1) was taken, and neither started an action nor was rejected`,
  );
});

it('knows an event as ended whose caller hears only later that it waits (S4.1)', () => {
  expect(heard(waiting, rejected, quiet)).toEqual([undefined, undefined, undefined]);
  expect(heard(rejected, waiting, quiet)).toEqual([undefined, undefined, undefined]);
});
