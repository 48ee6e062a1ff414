import { describe, expect, it } from 'vitest';
import type { ComponentRecord, DeploymentRecord } from '../../src/protocol/deployment-records.js';
import { readDeployment } from '../../src/store/index.js';
import { START } from './records.js';
import { useServer } from './server.js';

const server = useServer();

const deployment = (at: number, more: Partial<DeploymentRecord> = {}): DeploymentRecord => ({
  ...{ kind: 'deployment', name: 'shop', life: 'life-1', startedAt: START },
  origin: { component: 'Application', tenant: 'acme', subject: 'ann', request: 'r1' },
  ...{ phase: 'up', since: START + at, at: START + at },
  ...more,
});
const component = (incarnation: number, at: number, more: Partial<ComponentRecord> = {}): ComponentRecord => ({
  ...{ kind: 'component', life: 'life-1', path: `c${incarnation}`, incarnation, of: 'Delay', phase: 'up' },
  ...{ times: { created: START, up: START + at }, at: START + at },
  ...more,
});
const end = { type: 'abnormal', description: 'the shop closes', component: 'c2' };
const ended = (at: number) =>
  ({ phase: 'ended', end, since: START + at, endedAt: START + at, at: START + at }) as const;

describe('deployments in the store (W1)', () => {
  it('are rows with all that is known of them, and of each component', async () => {
    const store = await server.store([]);
    await store.writer.keep([component(1, 5, { path: '' }), component(2, 6), deployment(5)]);
    await store.writer.keep([deployment(90, ended(90))]);
    expect(await store.reader.selectFrom('deployments').selectAll().execute()).toMatchObject([
      {
        ...{ name: 'shop', life: 'life-1', component: 'Application', tenant: 'acme', subject: 'ann', request_id: 'r1' },
        ...{ detached_from: null, phase: 'ended', start_time: new Date(START), end_time: new Date(START + 90) },
        ...{ end_type: 'abnormal', end_description: 'the shop closes', end_component: 'c2', undeployed: false },
      },
    ]);
    const rows = await store.reader.selectFrom('components').selectAll().orderBy('incarnation').execute();
    expect(rows).toMatchObject([
      { deployment: 'shop', path: '', kind: 'Delay', created_time: new Date(START), up_time: new Date(START + 5) },
      { deployment: 'shop', path: 'c2', component: 'Application', tenant: 'acme', end_time: null },
    ]);
  });

  it('say that one has failed to deploy', async () => {
    const store = await server.store([]);
    await store.writer.keep([
      deployment(90, { ...ended(90), end: { ...end, undeployed: true } }),
      deployment(1, { life: '2' }),
    ]);
    const rows = await store.reader.selectFrom('deployments').select(['life', 'undeployed']).orderBy('life').execute();
    expect(rows).toEqual([
      { life: '2', undeployed: null },
      { life: 'life-1', undeployed: true },
    ]);
  });

  it('take an older record, an offered one as well as a kept one, for old', async () => {
    const store = await server.store([]);
    await store.writer.keep([deployment(90, ended(90))]);
    await store.writer.keep([deployment(5)]);
    store.writer.offer([deployment(6)]);
    await store.writer.confirm({ life: 'x', transitions: [], events: [], operations: [], complete: false });
    const row = await store.reader.selectFrom('deployments').select(['phase', 'end_type']).executeTakeFirst();
    expect(row).toEqual({ phase: 'ended', end_type: 'abnormal' });
  });

  it('keep no component of which only a lost task has told, also when that arrives last', async () => {
    const store = await server.store([]);
    const flushed = () =>
      store.writer.confirm({ life: 'x', transitions: [], events: [], operations: [], complete: false });
    store.writer.offer([component(1, 5), component(7, 6)]);
    await flushed();
    const paths = () => store.reader.selectFrom('components').select('path').execute();
    store.writer.offer([deployment(5)]);
    await flushed();
    expect(await paths()).toHaveLength(2);
    await store.writer.keep([component(1, 8, { phase: 'ended', end }), deployment(90, ended(90))]);
    expect(await paths()).toEqual([{ path: 'c1' }]);
    store.writer.offer([component(8, 7)]);
    await flushed();
    expect(await paths()).toEqual([{ path: 'c1' }]);
  });

  it('are read by name, the latest of it, with the last component of each path', async () => {
    const store = await server.store([]);
    const again = { life: 'life-2', startedAt: START + 1_000 };
    await store.writer.keep([
      ...[deployment(90, ended(90)), deployment(1_005, again)],
      ...[component(1, 5), component(1, 1_005, { life: 'life-2', path: '' })],
      ...[3, 2, 4].map((incarnation) => component(incarnation, 1_006, { life: 'life-2', path: 'running' })),
    ]);
    const found = await readDeployment(store.reader, 'shop');
    expect(found?.deployment).toMatchObject({ life: 'life-2', phase: 'up' });
    expect(found?.components.map(({ path, incarnation }) => [path, incarnation])).toEqual([
      ['', 1],
      ['running', 4],
    ]);
    expect(await readDeployment(store.reader, 'nobody')).toBeUndefined();
  });
});
