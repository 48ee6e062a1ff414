/** Scenarios for deadlines whose time is in a property. */
import { expect } from 'vitest';
import { Permit } from '../entities/permit.js';
import { rejection } from './plane.js';
import { scenario } from './scenario.js';

export const propertyTimes = [
  scenario('S4.5', 'a deadline comes at the time, or after the length of time, in a property', async (plane, key) => {
    await plane.result(await plane.create(Permit, key, 'issue', { inMs: 400, grace: '300ms' }));
    const issued = await plane.read(Permit, key);
    await plane.until(async () => (await plane.read(Permit, key)).state === 'Lapsed');
    const { properties, enteredAt } = await plane.read(Permit, key);
    const expiresAt = Date.parse(issued.properties['expiresAt'] as string);
    expect(properties['expiries']).toBe(1);
    expect(enteredAt).toBeGreaterThanOrEqual(expiresAt + 300);
  }),
  scenario(
    'S4.5',
    'a change of the property moves a deadline that runs, and no value is no deadline',
    async (plane, key) => {
      await plane.result(await plane.create(Permit, key, 'issue', { grace: 3_600_000 }));
      const { expiresAt } = (await plane.read(Permit, key)).properties;
      expect(expiresAt).toBeUndefined();
      await plane.result(await plane.raise(Permit, key, 'extend', { byMs: 3_600_000 }));
      await plane.result(await plane.raise(Permit, key, 'extend', { byMs: 100 }));
      await plane.until(async () => (await plane.read(Permit, key)).state === 'Grace');
      await plane.result(await plane.raise(Permit, key, 'renew'));
      expect(await plane.read(Permit, key)).toMatchObject({ state: 'Valid', properties: { expiries: 1 } });
      expect(await rejection(plane.raise(Permit, key, 'expire'))).toMatchObject({ code: 'not_public' });
    },
  ),
  scenario(
    'S4.5',
    'a time that is over raises its event once, also where that leads nowhere else',
    async (plane, key) => {
      await plane.result(await plane.create(Permit, key, 'issue', { inMs: -1_000 }));
      await plane.until(async () => (await plane.read(Permit, key)).properties['expiries'] === 1);
      await plane.result(await plane.raise(Permit, key, 'extend', { byMs: 200 }));
      await plane.until(async () => (await plane.read(Permit, key)).properties['expiries'] === 2);
      expect(await plane.read(Permit, key)).toMatchObject({ state: 'Valid', properties: { expiries: 2 } });
    },
  ),
];
