import { expect, it } from 'vitest';
import { fakeResource, simulate } from '../../src/simulation/index.js';
import { Box, shelf } from '../entities/box.js';
import { box } from '../entities/workflows.js';

it('the trace tells a defect with its place in the code of the entity', async () => {
  const resources = [fakeResource(shelf, { put: () => ({ place: 1 }), look: () => ({ place: 70 }) })];
  const sim = simulate([box], { resources });
  await sim.create(Box, 'a', 'place', { label: 'red' });
  await sim.settle();
  await sim.raise(Box, 'a', 'break');
  await sim.settle();
  expect(sim.trace.join('\n')).toMatch(
    /error defect: TypeError: Cannot read .* at (\w+ \()?\S*entities\/workflows\.ts:\d+/,
  );
});
