import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { actionsAndWorkflows } from './actions-and-workflows.js';
import { entitiesAndEvents } from './entities-and-events.js';
import { simulatedPlane } from './simulated-plane.js';
import { temporalPlane } from './temporal-plane.js';

const SCENARIOS = [...entitiesAndEvents, ...actionsAndWorkflows];
const SECTIONS = { S1: 6, S2: 6, S3: 9, S4: 8 };
const REQUIRED = [
  ...Object.entries(SECTIONS).flatMap(([section, last]) =>
    Array.from({ length: last }, (_, index) => `${section}.${index + 1}`),
  ),
  'Q1',
];
const SEEDS = [1, 2, 3];

let temporal: Awaited<ReturnType<typeof temporalPlane>>;
beforeAll(async () => {
  temporal = await temporalPlane();
});
afterAll(async () => temporal.close());

describe('conformance', () => {
  it('has a scenario for every requirement', () => {
    const proved = new Set(SCENARIOS.map(({ id }) => id));
    expect(REQUIRED.filter((id) => !proved.has(id))).toEqual([]);
  });

  for (const { id, title, run } of SCENARIOS) {
    const key = `conf-${id.toLowerCase().replace('.', '-')}`;
    it(`${id} ${title} [simulator]`, async () => {
      for (const seed of SEEDS) await run(simulatedPlane(seed), key);
    });
    it(`${id} ${title} [Temporal]`, async () => run(temporal, key));
  }
});
