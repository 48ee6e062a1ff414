import { afterAll, beforeAll, describe, it } from 'vitest';
import { SCENARIOS } from './scenarios.js';
import { temporalPlane } from './temporal-plane.js';

let temporal: Awaited<ReturnType<typeof temporalPlane>>;
beforeAll(async () => {
  temporal = await temporalPlane();
});
afterAll(async () => temporal.close());

// Most of them wait most of the time: for a deadline, an attempt, an answer.
describe.concurrent('conformance on Temporal', () => {
  for (const { id, title, key, run, alone } of SCENARIOS.filter(({ simulated }) => !simulated)) {
    (alone ? it.sequential : it)(`${id} ${title} [Temporal]`, async () => run(temporal, key));
  }
});
