import { describe, it } from 'vitest';
import { simulateMachines } from '../../workers/simulation/generated.js';

describe('generated machines', () => {
  it('keep every invariant with 200 seeds (S2, S3, S4; `npm run simulate` takes thousands)', async () => {
    for (let seed = 1; seed <= 200; seed++) await simulateMachines(seed);
  });
});
