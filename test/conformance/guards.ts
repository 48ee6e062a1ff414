/** Scenarios for events whose validity depends on what the entity holds, and on their parameters. S2.2 */
import { expect } from 'vitest';
import { Volume } from '../entities/volume.js';
import { rejection, type Plane } from './plane.js';
import { scenario } from './scenario.js';

/** Does something with a volume that is ready, in one operation that has ended well. */
async function done(plane: Plane, key: string, event: string, params?: unknown): Promise<void> {
  expect((await plane.result(await plane.raise(Volume, key, event, params))).outcome).toBe('success');
}

const read = async (plane: Plane, key: string) => plane.read(Volume, key);

export const guards = [
  scenario(
    'S2.2',
    'an event is rejected where its guard does not hold, and nothing is left of it',
    async (plane, key) => {
      await plane.result(await plane.create(Volume, key, 'create'));
      await done(plane, key, 'lock', { by: 'ann' });
      const before = await read(plane, key);
      const requestId = `${key}-remove`;
      const refused = await rejection(plane.raise(Volume, key, 'remove', undefined, { requestId }));
      expect(refused).toMatchObject({
        code: 'volume_locked',
        state: 'Ready',
        validNow: ['unlock', 'attach', 'lend', 'copy'],
      });
      expect(refused.message).toContain('The volume is locked. Volume/');
      // The parameters would be wrong too, but no parameters are right now.
      expect(await rejection(plane.raise(Volume, key, 'resize', { size: 'x' }))).toMatchObject({
        code: 'volume_locked',
      });
      // After a look at the store, the entity may know less of its requests.
      const { ledger: _, ...unchanged } = before;
      expect(await read(plane, key)).toMatchObject(unchanged);
      const allowed = await plane.allowed(Volume, key);
      expect(allowed.filter((each) => each.allowed).map(({ event }) => event)).toEqual(refused.validNow);
      expect(allowed.find(({ event }) => event === 'remove')).toMatchObject({ rejection: { code: 'volume_locked' } });
      await done(plane, key, 'unlock');
      await done(plane, key, 'attach', { host: 'h1' });
      expect(await rejection(plane.raise(Volume, key, 'remove', undefined, { requestId }))).toMatchObject({
        code: 'attached',
      });
      expect(plane.records().some((record) => 'id' in record && record.id === requestId)).toBe(false);
    },
  ),
  scenario('S2.2', 'a guard compares parameters with what the entity holds', async (plane, key) => {
    await plane.result(await plane.create(Volume, key, 'create'));
    const refused = await rejection(plane.raise(Volume, key, 'resize', { size: 9 }));
    expect(refused).toMatchObject({ code: 'not_allowed_now' });
    expect(refused.message).toContain(
      "'resize' is allowed only if parameter size is above size and parameter size is at most most.",
    );
    expect((await plane.allowed(Volume, key)).find(({ event }) => event === 'resize')).toMatchObject({ allowed: true });
    await done(plane, key, 'resize', { size: 8 });
    expect((await read(plane, key)).properties).toMatchObject({ size: 8 });
    expect(await rejection(plane.raise(Volume, key, 'resize', { size: 8 }))).toMatchObject({ code: 'not_allowed_now' });
  }),
  scenario('S2.2', 'nothing is created where the guard does not hold for what is given', async (plane, key) => {
    const refused = await rejection(plane.create(Volume, key, 'create', undefined, { construct: { size: 9 } }));
    expect(refused).toMatchObject({ code: 'too_large' });
    expect(await rejection(plane.raise(Volume, key, 'lend'))).toMatchObject({ code: 'absent' });
    await plane.result(await plane.create(Volume, key, 'create', undefined, { construct: { size: 8 } }));
    expect(await read(plane, key)).toMatchObject({ state: 'Ready', properties: { size: 8 } });
  }),
  scenario('S2.3', 'an event that waits is judged by the guard when its turn comes', async (plane, key) => {
    await plane.result(await plane.create(Volume, key, 'create'));
    const { letGo } = plane.hold(Volume, key);
    await plane.raise(Volume, key, 'attach', { host: 'h1' });
    const removed = await plane.raise(Volume, key, 'remove');
    expect(removed.answer).toMatchObject({ status: 'waiting', behind: 'attach' });
    letGo();
    expect(await plane.result(removed)).toMatchObject({ outcome: 'failed', rejection: { code: 'attached' } });
    expect(await read(plane, key)).toMatchObject({ state: 'Ready', links: { host: 'h1' } });
  }),
  scenario('S4.3', 'the event of a subscription is raised when the guard holds', async (plane, key) => {
    await plane.result(await plane.create(Volume, key, 'create'));
    await done(plane, key, 'lock', { by: 'ann' });
    const copied = await plane.raise(Volume, key, 'copy');
    await plane.until(async () => (await read(plane, key)).successors[0]?.outcome?.state === 'Done');
    expect(await read(plane, key)).toMatchObject({ state: 'Copying', used: [] });
    await plane.raise(Volume, key, 'unlock');
    expect((await plane.result(copied)).outcome).toBe('success');
    expect((await read(plane, key)).state).toBe('Ready');
  }),
  scenario('S4.5', 'a deadline waits for the guard, and a tick is dropped', async (plane, key) => {
    await plane.result(await plane.create(Volume, key, 'create'));
    await plane.until(async () => ((await read(plane, key)).properties['checks'] as number) > 0);
    await done(plane, key, 'lend');
    await done(plane, key, 'lock', { by: 'ann' });
    const { enteredAt } = await read(plane, key);
    // Later than the deadline by so much that it would have been raised.
    const other = `${key}-b`;
    await plane.result(await plane.create(Volume, other, 'create'));
    await plane.until(async () => ((await read(plane, other)).properties['checks'] as number) > 3);
    expect(await read(plane, key)).toMatchObject({ state: 'Lent', enteredAt });
    await done(plane, key, 'unlock');
    await plane.until(async () => (await read(plane, key)).state === 'Ready');
  }),
];
