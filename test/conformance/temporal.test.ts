import { afterAll, beforeAll, describe, it } from 'vitest';
import { SCENARIOS } from './scenarios.js';
import { temporalPlane } from './temporal-plane.js';

let temporal: Awaited<ReturnType<typeof temporalPlane>>;
beforeAll(async () => {
  temporal = await temporalPlane();
});
afterAll(async () => temporal.close());

describe('conformance on Temporal', () => {
  for (const { id, title, key, run } of SCENARIOS) {
    it(`${id} ${title} [Temporal]`, async () => run(temporal, key));
  }
});
