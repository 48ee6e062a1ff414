import { afterAll, beforeAll, expect, it } from 'vitest';
import { HostClient } from '../../activities/host/client.js';
import type { Credentials } from '../../activities/host/databases.js';
import type { Store } from '../../src/store/index.js';
import { openControlPlaneStore } from '../support/control-plane-store.js';
import { LogicalServer } from '../../workflows/logical-server/definition.js';
import { useMortalServer } from '../store/server.js';
import { startTestControlPlane, type TestControlPlane } from '../support/control-plane.js';
import { histories, placesOf, tables } from '../support/secret-scan.js';

const server = useMortalServer();
let url: string;
let store: Store;
let plane: TestControlPlane;

beforeAll(async () => {
  url = await server.database();
  store = openControlPlaneStore(url);
  await store.migrate();
  plane = await startTestControlPlane({ records: store.writer });
});
afterAll(async () => {
  await plane.close();
  await store.close();
});

it("the administrator's password stands in no history and no row, also without encryption (Q5)", async () => {
  const { outcome } = await plane.reeve.operations.result(
    await plane.reeve.create(LogicalServer, 'orders', 'create', {}),
  );
  expect(outcome).toBe('success');
  const host = new HostClient(plane.home);
  const { password } = await host.request<Credentials>('GET', ['administrators', 'orders']);
  expect(password.length).toBeGreaterThan(20);
  const written = new Map([...(await histories(plane.environment.client)), ...(await tables(url))]);
  expect(placesOf([password], written)).toEqual([]);
  // The scan sees what the same call was given.
  expect(placesOf(['databases.createDatabase'], written).length).toBeGreaterThan(0);
});
