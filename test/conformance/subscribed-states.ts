/** A scenario for subscriptions that fire in some of the states in which their event is valid. */
import { expect } from 'vitest';
import { Lodge } from '../entities/lodge.js';
import { scenario } from './scenario.js';

export const subscribedStates = [
  scenario('S4.3', 'a subscription fires only in the states that it names', async (plane, key) => {
    await plane.result(await plane.create(Lodge, key, 'start'));
    await plane.until(async () => (await plane.read(Lodge, key)).successors[0]?.event === 'settled');
    expect(await plane.read(Lodge, key)).toMatchObject({ state: 'Closed', used: [] });
    expect((await plane.result(await plane.raise(Lodge, key, 'open'))).outcome).toBe('success');
    await plane.until(async () => (await plane.read(Lodge, key)).state === 'Told');
  }),
];
