import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HostClient } from '../../activities/host/client.js';
import { AliasWatch } from '../../workers/alias-watch.js';
import { Alias } from '../../workflows/alias/definition.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { runSql } from '../support/server-session.js';
import { until } from '../support/until.js';

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
  await plane.reeve.operations.result(await plane.reeve.create(LogicalServer, 'orders', 'create', {}));
});
afterAll(async () => plane.close());

const alias = async () => (await plane.reeve.read({ type: 'Alias', key: 'orders' })).snapshot;

async function reeve(...args: readonly string[]): Promise<string> {
  const env = { ...process.env, TEMPORAL_ADDRESS: plane.environment.address, NO_COLOR: '1' };
  return (await promisify(execFile)(resolve('node_modules/.bin/reeve'), [...args], { env })).stdout;
}

describe('an alias whose address another program has taken (S6.4)', () => {
  it('is found, shown with why and when it is tried next, and listens again when the address is free', async () => {
    const port = Number((await alias()).properties['port']);
    const other = createServer();
    await plane.restartHost(() => new Promise<void>((done) => other.listen(port, '127.0.0.1', done)));
    const options = { host: new HostClient(plane.home), reeve: plane.reeve, log: pino({ level: 'silent' }) };
    const watch = new AliasWatch({ ...options, everyMs: 200 });
    try {
      await until(async () => {
        expect(await alias()).toMatchObject({ state: 'Unbound', lastError: { code: 'address_taken' } });
      });
      expect(await reeve('get', 'Alias/orders')).toMatch(/^Alias\/orders {2}Unbound/);
      const explained = await reeve('explain', 'Alias/orders');
      expect(explained).toContain('bindAgain');
      expect(explained).toContain(`cannot listen on 127.0.0.1:${port}`);
      expect(await reeve('get', 'Alias/orders', '--json')).toContain('"code": "address_taken"');
      await new Promise((done) => other.close(done));
      await until(async () => expect(await alias()).toMatchObject({ state: 'Ready', properties: { port } }));
      expect(await runSql(plane.home, 'orders', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
    } finally {
      await watch.stop();
      other.close();
    }
  });

  it('is not inspected when it listens, and says so when it is', async () => {
    const { version } = await alias();
    expect(await plane.reeve.perform(Alias, 'orders', 'inspect')).toMatchObject({ outcome: 'success' });
    expect(await alias()).toMatchObject({ state: 'Ready', version: version + 2 });
  });
});
