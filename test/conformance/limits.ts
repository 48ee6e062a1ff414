/** Scenarios for S1.5a: whatever a declaration allows runs safely. */
import { expect } from 'vitest';
import { LONGEST_MESSAGE } from '../../src/definition/limits.js';
import type { OperationResult } from '../../src/operations/status.js';
import { Freight, THROWN } from '../entities/freight.js';
import type { Plane } from './plane.js';
import { scenario } from './scenario.js';

/** The error with which an event ended on a freight. */
async function errorOf(
  plane: Plane,
  key: string,
  event: string,
  params: unknown,
): Promise<OperationResult['errors'][number]> {
  const { outcome, errors } = await plane.result(await plane.raise(Freight, key, event, params));
  expect({ outcome, errors }).toMatchObject({ outcome: 'failed', errors: [{}] });
  return errors[0]!;
}

export const limits = [
  scenario('S1.5a', 'whatever an action throws is a failed action, with a short message', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    for (const how of Object.keys(THROWN)) {
      const { message } = await errorOf(plane, key, 'drop', { how });
      expect(message.length).toBeLessThan(2 * LONGEST_MESSAGE);
    }
    const { message } = await errorOf(plane, key, 'drop', { how: 'huge' });
    expect(message).toMatch(/^Error: x+\.\.\. \(4,998,000 more characters\)$/);
  }),
  scenario('S1.5a', 'whatever a provider throws is a failed call, with a short message', async (plane, key) => {
    await plane.result(await plane.create(Freight, key, 'order'));
    for (const how of Object.keys(THROWN)) {
      const { code, message } = await errorOf(plane, key, 'lift', { how });
      expect(Math.max(code.length, message.length)).toBeLessThan(2 * LONGEST_MESSAGE);
    }
  }),
];
