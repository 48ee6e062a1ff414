import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { DnsRecord } from '../../workflows/dns-record/definition.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';

const LIVES = 20;
const address = { host: '127.0.0.1', port: 5432 };
const ref = { type: 'DnsRecord', key: 'orders' };

let plane: TestControlPlane;
beforeAll(async () => {
  plane = await startTestControlPlane();
});
afterAll(async () => plane.close());

it('what was deleted is gone at once, and its key can be used at once, again and again (S1.3)', async () => {
  for (let life = 1; life <= LIVES; life++) {
    const created = await plane.reeve.create(DnsRecord, 'orders', 'create', { address });
    expect(await plane.reeve.operations.result(created)).toMatchObject({ outcome: 'success' });
    expect(await plane.reeve.read(ref)).toMatchObject({ gone: false, snapshot: { state: 'Ready' } });
    expect(await plane.reeve.perform(DnsRecord, 'orders', 'delete')).toMatchObject({ outcome: 'success' });
    expect(await plane.reeve.read(ref)).toMatchObject({ gone: true, snapshot: { state: 'Deleted' } });
  }
});

it('the command line says so too (S1.3, S6.3)', async () => {
  const env = { ...process.env, TEMPORAL_ADDRESS: plane.environment.address };
  const { stdout } = await promisify(execFile)(resolve('node_modules/.bin/reeve'), ['get', 'DnsRecord/orders'], {
    env,
  });
  expect(stdout).toMatch(/^DnsRecord\/orders {2}Deleted.* gone/);
});
