import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApplication } from '../../src/service/application.js';
import { startService, type RunningService } from '../../src/service/server.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { controlPlaneModule } from '../../workflows/definitions.js';
import { LogicalDatabase } from '../../workflows/logical-database/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { runSql } from '../support/server-session.js';
import { until } from '../support/until.js';

const callbacks = { url: '', keys: new CallbackKeys(randomBytes(32).toString('base64')) };
const rooms = new Map([
  ['east', 1],
  ['west', 2],
]);
let plane: TestControlPlane;
let service: RunningService;
beforeAll(async () => {
  plane = await startTestControlPlane({ callbacks, rooms });
  const options = { reeve: plane.reeve, modules: [controlPlaneModule], log: pino({ level: 'silent' }), callbacks };
  service = await startService(createApplication(options), {});
  callbacks.url = `${service.url}/api`;
});
afterAll(async () => {
  await service.stop();
  await plane.close();
});

const read = async (key: string) => (await plane.reeve.read({ type: 'LogicalDatabase', key })).snapshot;
const outbox = () =>
  readdir(join(plane.home, 'outbox')).then((names) => names.filter((name) => name.endsWith('.json')));

async function create(name: string, params: object) {
  return plane.reeve.operations.result(await plane.reeve.create(LogicalServer, name, 'create', params));
}

/** Where somebody is asked to decide about the move of a database. */
async function request(key: string): Promise<{ readonly answerAt: string; readonly targetDataCluster: string }> {
  return until(async () => JSON.parse(await readFile(join(plane.home, 'outbox', `${key}.json`), 'utf8')) as never);
}

async function answer(url: string, body: object): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
}

/** Each instance is copied, started and stopped for real. */
const timeout = 240_000;

describe('a move that somebody outside has to approve (A1)', { timeout }, () => {
  it('waits for the answer, takes clients meanwhile, and goes on with it', async () => {
    expect(await create('strict', { dataCluster: 'east', movesNeedApproval: true })).toMatchObject({
      outcome: 'success',
    });
    const made = await plane.reeve.create(LogicalDatabase, 'strict.sales', 'create', { dataCluster: 'east' });
    expect(await plane.reeve.operations.result(made)).toMatchObject({ outcome: 'success' });
    await runSql(plane.home, 'strict', 'CREATE TABLE item (id int); INSERT INTO item VALUES (7)', {
      database: 'sales',
    });

    const moving = await plane.reeve.raise(LogicalDatabase, 'strict.sales', 'moveTo', { dataCluster: 'west' });
    const { answerAt, targetDataCluster } = await request('strict.sales');
    expect(targetDataCluster).toBe('west');
    expect(await runSql(plane.home, 'strict', 'SELECT id FROM item', { database: 'sales' })).toEqual([{ id: 7 }]);
    expect(await answer(answerAt, { output: { approved: 'yes' } })).toBe(400);
    expect(await answer(answerAt, { output: { approved: true, by: 'ann' } })).toBe(200);
    expect(await plane.reeve.operations.result(moving)).toMatchObject({ outcome: 'success' });
    expect(await read('strict.sales')).toMatchObject({ properties: { dataCluster: 'west', moveApprovedBy: 'ann' } });
    expect(await runSql(plane.home, 'strict', 'SELECT id FROM item', { database: 'sales' })).toEqual([{ id: 7 }]);
    expect(await outbox()).toEqual([]);
  });

  it('does not happen when it is refused: the operation says who has refused it, and why', async () => {
    const moving = await plane.reeve.raise(LogicalDatabase, 'strict.sales', 'moveTo', { dataCluster: 'east' });
    const { answerAt } = await request('strict.sales');
    expect(await answer(answerAt, { output: { approved: false, by: 'bob', reason: 'not today' } })).toBe(200);
    const message = 'bob has refused the move: not today';
    expect(await plane.reeve.operations.result(moving)).toMatchObject({
      outcome: 'failed',
      errors: [{ code: 'move_refused', message }],
    });
    expect(await read('strict.sales')).toMatchObject({ state: 'Ready', properties: { dataCluster: 'west' } });
  });

  it('ends when the database is deleted, and an answer comes too late', async () => {
    const moving = await plane.reeve.raise(LogicalDatabase, 'strict.sales', 'moveTo', { dataCluster: 'east' });
    const { answerAt } = await request('strict.sales');
    const deleting = await plane.reeve.raise(LogicalDatabase, 'strict.sales', 'delete');
    expect(await plane.reeve.operations.result(deleting)).toMatchObject({ outcome: 'success' });
    expect(await plane.reeve.operations.result(moving)).toMatchObject({ outcome: 'canceled' });
    expect(await answer(answerAt, { output: { approved: true, by: 'ann' } })).toBe(410);
    expect(await outbox()).toEqual([]);
  });
});

describe('a server without a named data cluster (A3)', { timeout }, () => {
  it('comes to one that has room, takes no room twice, and is not made where there is none', async () => {
    // 'strict' is in the only room of 'east'.
    const results = await Promise.all(['one', 'two', 'three'].map((name) => create(name, {})));
    const failed = results.filter(({ outcome }) => outcome !== 'success');
    expect(failed).toMatchObject([{ outcome: 'failed', errors: [{ code: 'no_capacity' }] }]);
    expect(failed[0]!.errors[0]!.message).toContain('east has none; west has none');
    for (const { root } of results.filter(({ outcome }) => outcome === 'success')) {
      const { snapshot } = await plane.reeve.read({ type: 'LogicalServer', key: root.key });
      expect(snapshot).toMatchObject({ state: 'Ready', properties: { dataCluster: 'west' } });
    }
  });
});
