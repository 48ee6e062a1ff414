/** Scenarios for what comes while an action runs. */
import { expect } from 'vitest';
import { Host, Janitor } from '../entities/host.js';
import { rejection, type Plane } from './plane.js';
import { scenario } from './scenario.js';

/** A host whose deployment goes on until it is let go. */
async function deploying(plane: Plane, key: string) {
  const { letGo } = plane.hold(Host, key);
  const deployed = await plane.create(Host, key, 'deploy');
  await plane.until(async () => (await plane.read(Host, key)).running?.calls !== undefined);
  return { letGo, deployed };
}

export const busy = [
  scenario('S2.3', 'an event is rejected while an action runs, where that is declared', async (plane, key) => {
    const { letGo, deployed } = await deploying(plane, key);
    const before = await plane.read(Host, key);
    const running = { action: 'install', operation: deployed.requestId };
    expect(await rejection(plane.raise(Host, key, 'remove'))).toMatchObject({ code: 'host_locked', ...running });
    expect(await rejection(plane.raise(Host, key, 'rebuild'))).toMatchObject({ code: 'deploying', ...running });
    const allowed = await plane.allowed(Host, key);
    expect(allowed).toMatchObject([
      { event: 'deploy', allowed: false, rejection: { code: 'deploying' } },
      { event: 'rebuild', allowed: false, rejection: { code: 'deploying' } },
      { event: 'note', allowed: true, behind: 'install' },
      { event: 'remove', allowed: false, rejection: { code: 'host_locked' } },
      { event: 'stop', allowed: true, behind: 'the abort of install' },
    ]);
    const noted = await plane.raise(Host, key, 'note', { text: 'kept' });
    expect(noted.answer).toMatchObject({ status: 'waiting', behind: 'install' });
    // The events of a batch get their own answers, also behind one that waits.
    const answers = await plane.raiseAll(Host, key, [
      { id: `${key}-1`, event: 'remove' },
      { id: `${key}-2`, event: 'note', params: { text: 'kept too' } },
      { id: `${key}-3`, event: 'remove' },
    ]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'waiting', 'rejected']);
    expect((await plane.read(Host, key)).version).toBe(before.version);
    letGo();
    expect((await plane.result(noted)).outcome).toBe('success');
    await plane.until(async () => ((await plane.read(Host, key)).properties['notes'] as string[]).length === 2);
    expect(await plane.read(Host, key)).toMatchObject({ state: 'Active', waiting: [] });
    // Nothing of a rejected request is kept: the same one is accepted when nothing runs.
    await plane.result(await plane.raise(Host, key, 'remove', undefined, { requestId: `${key}-1` }));
  }),
  scenario('S2.3', 'an event of another entity is rejected while an action runs', async (plane, key) => {
    const { letGo, deployed } = await deploying(plane, key);
    const cleaned = await plane.result(await plane.create(Janitor, key, 'clean'));
    expect(cleaned).toMatchObject({ outcome: 'failed', errors: [{ code: 'host_locked' }] });
    letGo();
    expect((await plane.result(deployed)).outcome).toBe('success');
    expect((await plane.read(Host, key)).state).toBe('Active');
  }),
  scenario('S2.4', 'an entity is not busy between the attempts of its action', async (plane, key) => {
    plane.fail(key, 1_000);
    await plane.create(Host, key, 'deploy');
    const between = async () => {
      const { attempt, running } = await plane.read(Host, key);
      return attempt > 0 && !running;
    };
    await plane.until(between);
    const removed = await plane.raise(Host, key, 'remove');
    expect((await plane.result(removed)).outcome).toBe('success');
  }),
];
