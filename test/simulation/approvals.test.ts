import { describe, expect, it } from 'vitest';
import { simulate, type Simulation } from '../../src/simulation/index.js';
import { approvals } from '../../activities/approvals/contract.js';
import { IMPLEMENTATIONS } from '../../tools/simulation/control-plane.js';
import { FakeCloud, type FakeOthers } from '../../tools/simulation/fake-cloud.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';

interface Plane {
  readonly sim: Simulation;
  readonly cloud: FakeCloud;
}

/** A server with a database in `main`. */
async function prepared(movesNeedApproval: boolean, others: FakeOthers = {}): Promise<Plane> {
  const cloud = new FakeCloud(others);
  const sim = simulate(IMPLEMENTATIONS, { resources: cloud.resources });
  await sim.create(LogicalServer, 'one', 'create', { movesNeedApproval });
  await sim.settle();
  await sim.create(LogicalDatabase, 'one.sales', 'create', {});
  await sim.settle();
  return { sim, cloud };
}

/** The database is asked to move, and somebody is asked whether it may. */
async function asked(others: FakeOthers = {}) {
  const plane = await prepared(true, others);
  const moved = await plane.sim.raise(LogicalDatabase, 'one.sales', 'moveTo', { dataCluster: 'west' });
  await plane.sim.advance('1h');
  expect(database(plane).state).toBe('AwaitingApproval');
  return { ...plane, moved };
}

const database = ({ sim }: Plane) => sim.read(LogicalDatabase, 'one.sales');
type Given =
  { output: { approved: boolean; by: string; reason?: string } } | { error: { code: string; message: string } };
const answer = ({ sim }: Plane, given: Given) => sim.answer(LogicalDatabase, 'one.sales', approvals.askForMove, given);
const clusters = ({ cloud }: Plane) => [...cloud.instances].map(([name, { cluster }]) => `${name} in ${cluster}`);
const HOME = ['one in main', 'one.sales in main'];

describe('the approval of a move (A1, S6.4)', () => {
  it('is not asked for where the server does not say so, nor within the data cluster', async () => {
    const free = await prepared(false);
    const moved = await free.sim.raise(LogicalDatabase, 'one.sales', 'moveTo', { dataCluster: 'west' });
    expect(await free.sim.result(moved)).toMatchObject({ outcome: 'success' });
    const strict = await prepared(true);
    await strict.sim.create(LogicalServer, 'two', 'create', {});
    await strict.sim.settle();
    const within = await strict.sim.raise(LogicalDatabase, 'one.sales', 'moveTo', { server: 'two' });
    expect(await strict.sim.result(within)).toMatchObject({ outcome: 'success' });
    expect(strict.cloud.outbox.size).toBe(0);
  });

  it('is awaited for days, with all that others ask for answered at once, and then the database moves', async () => {
    const plane = await asked();
    const { sim, cloud, moved } = plane;
    const begunAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/) as string;
    expect(cloud.outbox.get('one.sales')).toMatchObject({ dataCluster: 'main', targetDataCluster: 'west', begunAt });
    expect(database(plane)).toMatchObject({ properties: { moveBegunAt: begunAt } });
    const scaled = sim.raise(LogicalDatabase, 'one.sales', 'scale', { serviceObjective: 'S2' });
    await expect(scaled).rejects.toMatchObject({
      code: 'approval_pending',
      rejection: { operation: moved.requestId },
    });
    await sim.advance('1d');
    expect(clusters(plane)).toEqual(HOME);
    await answer(plane, { output: { approved: true, by: 'ann' } });
    expect(await sim.result(moved)).toMatchObject({ outcome: 'success', errors: [] });
    expect(database(plane)).toMatchObject({
      state: 'Ready',
      properties: { dataCluster: 'west', moveApprovedBy: 'ann' },
    });
    expect(database(plane)).not.toHaveProperty('properties.moveBegunAt');
    expect(clusters(plane)).toEqual(['one in main', 'one.sales.2 in west']);
    expect(cloud.outbox.size).toBe(0);
  });

  it.each([
    [
      'as refused',
      { output: { approved: false, by: 'bob', reason: 'too dear' } },
      'bob has refused the move: too dear',
    ],
    ['as an error', { error: { code: 'refused', message: 'too dear' } }, 'The move was refused: too dear'],
  ])('ends the move with the reason when it is answered %s, and nothing has changed', async (_, given, message) => {
    const plane = await asked();
    await answer(plane, given);
    const result = await plane.sim.result(plane.moved);
    // It is an answer for the caller: no operator has to fix anything.
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ kind: 'rejected', code: 'move_refused', message }] });
    expect(database(plane)).toMatchObject({ state: 'Ready', properties: { dataCluster: 'main' } });
    expect(clusters(plane)).toEqual(HOME);
    expect(plane.cloud.outbox.size).toBe(0);
  });

  it('ends the move when nobody answers within two days', async () => {
    const plane = await asked();
    const result = await plane.sim.result(plane.moved);
    expect(result).toMatchObject({ outcome: 'failed', errors: [{ code: 'approval_timed_out' }] });
    expect(database(plane).state).toBe('Ready');
    expect(plane.cloud.outbox.size).toBe(0);
  });

  it('is withdrawn when the operation is cancelled, and can be asked for again', async () => {
    const plane = await asked();
    const { sim, cloud, moved } = plane;
    await sim.cancel(moved.requestId);
    expect(await sim.result(moved)).toMatchObject({ outcome: 'canceled' });
    expect(database(plane).state).toBe('Ready');
    expect(cloud.outbox.size).toBe(0);
    const again = await sim.raise(LogicalDatabase, 'one.sales', 'moveTo', { dataCluster: 'west' });
    await sim.advance('1m');
    await answer(plane, { output: { approved: true, by: 'ann' } });
    expect(await sim.result(again)).toMatchObject({ outcome: 'success' });
  });

  it.each([
    ['the database', LogicalDatabase, 'one.sales'],
    ['its server', LogicalServer, 'one'],
  ] as const)('is withdrawn when %s is deleted, which does not wait for it (S3.2)', async (_, entity, key) => {
    const plane = await asked();
    const { sim, cloud, moved } = plane;
    const deleted = await sim.raise(entity as typeof LogicalDatabase, key, 'delete');
    await sim.advance('5m');
    expect(sim.exists(LogicalDatabase, 'one.sales')).toBe(false);
    expect(await sim.result(deleted)).toMatchObject({ outcome: 'success' });
    expect(await sim.result(moved)).toMatchObject({ outcome: 'canceled' });
    expect(cloud.of('one').filter((each) => each.includes('one.sales'))).toEqual([]);
    expect(cloud.outbox.size).toBe(0);
  });

  it('is asked for once, also where its worker dies (S3.4)', async () => {
    const { sim, cloud } = await prepared(true);
    sim.inject({ at: { entity: 'LogicalDatabase/one.sales', call: 'approvals.askForMove' }, fault: 'crash' });
    const moved = await sim.raise(LogicalDatabase, 'one.sales', 'moveTo', { dataCluster: 'west' });
    await sim.advance('10m');
    await answer({ sim, cloud }, { output: { approved: true, by: 'ann' } });
    expect(await sim.result(moved)).toMatchObject({ outcome: 'success' });
    const keys = sim.calls.filter(({ call }) => call === 'approvals.askForMove').map((each) => each.idempotencyKey);
    expect(new Set(keys).size).toBe(1);
  });

  it('does not hold up a standby of the server for ever: who adds one is told why there is none', async () => {
    const plane = await asked();
    const added = await plane.sim.raise(LogicalServer, 'one', 'addStandby', { dataCluster: 'east' });
    await plane.sim.advance('10m');
    expect(plane.sim.read(LogicalServer, 'one')).toMatchObject({ state: 'Ready', properties: {} });
    const { outcome, errors } = await plane.sim.result(added);
    expect([outcome, errors.map(({ code }) => code)]).toEqual(['failed', expect.arrayContaining(['approval_pending'])]);
    expect(clusters(plane)).toEqual(HOME);
  });

  it('is a setting that an operator changes, for moves that come later', async () => {
    const plane = await asked();
    await plane.sim.raise(LogicalServer, 'one', 'changeSettings', { movesNeedApproval: false });
    await plane.sim.advance('1h');
    expect(database(plane).state).toBe('AwaitingApproval');
    await plane.sim.cancel(plane.moved.requestId);
    await plane.sim.result(plane.moved);
    const moved = await plane.sim.raise(LogicalDatabase, 'one.sales', 'moveTo', { dataCluster: 'west' });
    expect(await plane.sim.result(moved)).toMatchObject({ outcome: 'success' });
  });
});
