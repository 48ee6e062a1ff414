import { expect } from 'vitest';
import type { Snapshot } from '../../src/protocol/snapshot.js';

/** A subscriber on one of the drivers, first with the old build and then with the new one. */
export interface MigrationPlane {
  subscribe(key: string): Promise<void>;
  raise(key: string, event: string, params: unknown, requestId: string): Promise<unknown>;
  read(key: string): Promise<Snapshot>;
  /** From now on, the entity runs on the new build. */
  moveOn(key: string): Promise<void>;
}

/** Q2: what an older build has left goes on in a newer schema, on any driver. */
export async function comesToNewerSchema(plane: MigrationPlane, key: string): Promise<void> {
  await plane.subscribe(key);
  await plane.raise(key, 'pay', { months: 3 }, `${key}-first`);
  const before = await plane.read(key);
  expect(before).toMatchObject({ state: 'Paying', properties: { name: 'Ann', months: 3 } });
  await plane.moveOn(key);
  const after = await plane.read(key);
  expect(after).toMatchObject({
    ...{ schema: 3, state: 'Active', version: before.version + 1, life: before.life, bornAt: before.bornAt },
    ...{ properties: { fullName: 'Ann', plan: 'basic', credits: 30 }, links: { title: 'weekly' } },
  });
  expect(await plane.raise(key, 'pay', { months: 3 }, `${key}-first`)).toMatchObject({ repeated: true });
  expect(await plane.raise(key, 'topUp', { months: 3 }, `${key}-first`)).toMatchObject({ repeated: true });
  await plane.raise(key, 'pay', { months: 1 }, `${key}-second`);
  expect(await plane.read(key)).toMatchObject({ version: after.version + 1, properties: { credits: 40 } });
}
