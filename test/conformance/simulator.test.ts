import { describe, expect, it } from 'vitest';
import { seeds } from '../support/seeds.js';
import { SCENARIOS } from './scenarios.js';
import { simulatedPlane } from './simulated-plane.js';

const SECTIONS = { S1: 6, S2: 6, S3: 9, S4: 8 };
const REQUIRED = [
  ...Object.entries(SECTIONS).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
  ),
  'Q1',
  ...Array.from({ length: 7 }, (_, index) => `A${index + 1}`),
  ...Array.from({ length: 5 }, (_, index) => `W${index + 1}`),
  ...Array.from({ length: 8 }, (_, index) => `I${index + 1}`),
];

describe('conformance in the simulator', () => {
  it('has a scenario for every requirement', () => {
    const proved = new Set(SCENARIOS.map(({ id }) => id));
    expect(REQUIRED.filter((id) => !proved.has(id))).toEqual([]);
  });

  for (const { id, title, key, run } of SCENARIOS) {
    it(`${id} ${title} [simulator]`, async () => {
      for (const seed of seeds(3)) await run(simulatedPlane(seed), key);
    });
  }
});
