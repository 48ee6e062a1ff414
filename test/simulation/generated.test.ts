import { describe, it } from 'vitest';
import { seeds } from '../support/seeds.js';
import { simulateMachines } from '../../tools/simulation/generated.js';

describe('generated machines', () => {
  it('keep every invariant with each seed (S2, S3, S4; `npm run simulate` takes thousands)', async () => {
    for (const seed of seeds(100)) await simulateMachines(seed);
  });
});
