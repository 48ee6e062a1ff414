import { describe, expect, it } from 'vitest';
import { ResourceError, simulate } from '../../src/simulation/index.js';
import { IMPLEMENTATIONS } from '../../tools/simulation/control-plane.js';
import { FakeCloud, type FakeOthers } from '../../tools/simulation/fake-cloud.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';

/** Data clusters with room for so many instances, of which some fail so often. */
function plane(rooms: Readonly<Record<string, number>>, failures: Readonly<Record<string, number>> = {}) {
  const left = new Map(Object.entries(failures));
  const beforeRoom: FakeOthers['beforeRoom'] = (name) => {
    const count = left.get(name) ?? 0;
    left.set(name, count - 1);
    if (count > 0) throw new ResourceError('cluster_down', `${name} is down`);
  };
  const cloud = new FakeCloud({ rooms: new Map(Object.entries(rooms)), beforeRoom });
  return { cloud, sim: simulate(IMPLEMENTATIONS, { resources: cloud.resources }) };
}

const placed = (cloud: FakeCloud) => [...cloud.instances].map(([name, { cluster }]) => `${name} in ${cluster}`);

describe('a server for which nobody names a data cluster (A3, S6.4)', () => {
  it('comes to one that has room', async () => {
    const { cloud, sim } = plane({ main: 0, east: 1, west: 0 });
    expect(await sim.result(await sim.create(LogicalServer, 'one', 'create', {}))).toMatchObject({
      outcome: 'success',
    });
    expect(sim.read(LogicalServer, 'one')).toMatchObject({ state: 'Ready', properties: { dataCluster: 'east' } });
    expect([placed(cloud), cloud.rooms.size]).toEqual([['one in east'], 0]);
  });

  it('asks nobody where one is named', async () => {
    const { cloud, sim } = plane({ main: 0 });
    await sim.create(LogicalServer, 'one', 'create', { dataCluster: 'west' });
    await sim.settle();
    expect(placed(cloud)).toEqual(['one in west']);
    expect(sim.calls.filter(({ call }) => call.startsWith('dataClusters.'))).toEqual([]);
  });

  it('takes the first that answers, and waits for none that is slow', async () => {
    const { sim } = plane({ main: 1, east: 1 });
    const at = { entity: 'LogicalServer/one', call: 'dataClusters.askForRoom' };
    sim.inject({ at, fault: 'slow' });
    const from = sim.now;
    await sim.create(LogicalServer, 'one', 'create', {});
    await sim.settle();
    expect(sim.read(LogicalServer, 'one')).toMatchObject({ state: 'Ready', properties: { dataCluster: 'east' } });
    const taken = sim.calls.find(({ call }) => call === 'dataClusters.takeRoom');
    expect(taken!.at - from).toBeLessThan(1_000);
  });

  it('passes over one that fails, and asks again where only that could have room', async () => {
    const over = plane({ main: 5, east: 5 }, { main: 100 });
    await over.sim.create(LogicalServer, 'one', 'create', {});
    await over.sim.settle();
    expect(placed(over.cloud)).toEqual(['one in east']);
    const again = plane({ main: 5, east: 0 }, { main: 3 });
    await again.sim.create(LogicalServer, 'one', 'create', {});
    await again.sim.settle();
    expect(placed(again.cloud)).toEqual(['one in main']);
  });

  it('does not come to be where none has room: the operation says so, nothing is left, and it can be tried again', async () => {
    const { cloud, sim } = plane({ main: 0, east: 0 });
    const result = await sim.result(await sim.create(LogicalServer, 'one', 'create', {}));
    const message = "No data cluster has capacity for 'one': main has none; east has none.";
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ code: 'no_capacity', message }] });
    expect(sim.exists(LogicalServer, 'one')).toBe(false);
    expect(cloud.of('one')).toEqual([]);
    await sim.settle();
    const named = await sim.create(LogicalServer, 'one', 'create', { dataCluster: 'west' });
    expect(await sim.result(named)).toMatchObject({ outcome: 'success' });
  });

  it('fails with all that was said when those that could have room fail for good', async () => {
    const { cloud, sim } = plane({ main: 1, east: 0 }, { main: 100 });
    const result = await sim.result(await sim.create(LogicalServer, 'one', 'create', {}));
    expect(result).toMatchObject({ outcome: 'failed' });
    expect(result.errors).toContainEqual(
      expect.objectContaining({
        code: 'no_capacity',
        message: expect.stringContaining('main has failed (main is down); east has none'),
      }),
    );
    expect(sim.read(LogicalServer, 'one').state).toBe('Failed');
    expect(cloud.of('one')).toEqual([]);
  });

  it('shares the last room with nobody: of two at once, one is created and the other is told', async () => {
    const { cloud, sim } = plane({ main: 1 });
    const [one, two] = await Promise.all([
      sim.create(LogicalServer, 'one', 'create', {}),
      sim.create(LogicalServer, 'two', 'create', {}),
    ]);
    const results = [await sim.result(one), await sim.result(two)];
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['failed', 'success']);
    expect(results.flatMap(({ errors }) => errors.map(({ code }) => code))).toEqual(['no_capacity']);
    expect([cloud.instances.size, cloud.rooms.size]).toEqual([1, 0]);
  });

  it('gives the room back when its creation comes to nothing', async () => {
    const { cloud, sim } = plane({ main: 1 });
    for (let tries = 0; tries < 5; tries++) {
      sim.inject({ at: { entity: 'LogicalServer/one', call: 'aliases.reserve' }, fault: 'fail' });
    }
    expect(await sim.result(await sim.create(LogicalServer, 'one', 'create', {}))).toMatchObject({ outcome: 'failed' });
    expect(cloud.of('one')).toEqual([]);
    expect(await sim.result(await sim.create(LogicalServer, 'two', 'create', {}))).toMatchObject({
      outcome: 'success',
    });
  });

  it('keeps no room of which it has not heard that it was taken (S3.4)', async () => {
    const { cloud, sim } = plane({ main: 1 });
    sim.inject({ at: { entity: 'LogicalServer/one', call: 'dataClusters.takeRoom' }, fault: 'lose-answer' });
    expect(await sim.result(await sim.create(LogicalServer, 'one', 'create', {}))).toMatchObject({
      outcome: 'success',
    });
    expect([placed(cloud), cloud.rooms.size]).toEqual([['one in main'], 0]);
  });
});
