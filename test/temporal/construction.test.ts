import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Rejected } from '../../src/protocol/errors.js';
import { replayHistories } from '../../src/temporal/histories.js';
import { Depot, Office, Parcel } from '../entities/parcel.js';
import { Site } from '../entities/site.js';
import { Seed, Town } from '../entities/town.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/town-workflows.ts',
    declarations: ['entities/site.ts', 'entities/town.ts', 'entities/parcel.ts'],
    entities: [Site, Seed, Town, Depot, Parcel, Office],
    resources: [],
  });
});
afterAll(async () => service.close());

const ref = (type: string, key: string) => ({ type, key });
const read = async (type: string, key: string) => (await service.reeve.read(ref(type, key))).snapshot;
const rejection = (raised: Promise<unknown>) =>
  raised.then(
    () => Promise.reject(new Error('it was not rejected')),
    (thrown: Rejected) => thrown.rejection,
  );

/** A site that is open. */
async function open(key: string): Promise<void> {
  const taken = await service.reeve.create(Site, key, 'build', { construct: { size: 3 } });
  expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'success' });
}

describe('construction on a real service (S2.1)', () => {
  it('with an event takes values, and the event is admitted at once', async () => {
    await open('eventful');
    expect(await read('Site', 'eventful')).toMatchObject({
      state: 'Open',
      properties: { size: 3, cluster: 'west', port: 80 },
      links: { databases: ['first'] },
    });
  });

  it('without an event ends at once, and once only', async () => {
    const taken = await service.reeve.construct(
      Site,
      'plain',
      { size: 2, application: 'app' },
      { requestId: 'plain-1' },
    );
    expect(await service.reeve.operations.result(taken)).toMatchObject({
      outcome: 'success',
      participants: [{ key: 'plain', state: 'Empty', version: 0 }],
    });
    expect(await read('Site', 'plain')).toMatchObject({ properties: { size: 2 }, links: { application: 'app' } });
    const again = (size: number, requestId: string) =>
      service.reeve.construct(Site, 'plain', { size, application: 'app' }, { requestId });
    expect(await rejection(again(2, 'plain-2'))).toMatchObject({ code: 'already_exists', state: 'Empty' });
    expect((await again(2, 'plain-1')).answer).toMatchObject({ status: 'accepted', outcome: { state: 'Empty' } });
    expect(await rejection(again(3, 'plain-1'))).toMatchObject({ code: 'request_conflict' });
  });

  it('runs the action of an unstable initial state, and the operation follows it (S1.4)', async () => {
    const taken = await service.reeve.construct(Seed, 'tulip', { colour: 'red' });
    expect(await service.reeve.operations.result(taken)).toMatchObject({
      outcome: 'success',
      participants: [{ key: 'tulip', state: 'Grown' }],
    });
  });

  it('with bad values creates nothing', async () => {
    const bad = { construct: { size: 0 } };
    expect(await rejection(service.reeve.create(Site, 'bad', 'build', bad))).toMatchObject({
      code: 'invalid_parameters',
      issues: [{ path: 'construct.size' }],
    });
    expect(await rejection(service.reeve.construct(Site, 'bad', { size: 101 }))).toMatchObject({
      code: 'constraint_violated',
    });
    expect(await rejection(service.reeve.read(ref('Site', 'bad')))).toMatchObject({ code: 'absent' });
    // One that exists answers as it does to any event.
    await open('living');
    expect(await rejection(service.reeve.create(Site, 'living', 'build', bad))).toMatchObject({
      code: 'not_valid',
      state: 'Open',
    });
  });

  it('by an action makes successors whose reports come back (S3.3, S4.2)', async () => {
    const taken = await service.reeve.create(Town, 'york', 'found', { sites: ['one', 'two'] });
    const result = await service.reeve.operations.result(taken);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants.map(({ type, key, state }) => `${type}/${key} ${state}`).sort()).toEqual([
      'Seed/york Grown',
      'Site/one Empty',
      'Site/two Empty',
      'Town/york Ready',
    ]);
    expect((await read('Site', 'one')).links).toMatchObject({ application: 'york' });
  });

  it('by an action is rejected, and that is seen, when the key is none or exists already (S2.2, S3.3)', async () => {
    await open('taken');
    for (const [town, site, code] of [
      ['leeds', 'UPPER', 'invalid_key'],
      ['hull', 'taken', 'already_exists'],
    ] as const) {
      const taken = await service.reeve.create(Town, town, 'found', { sites: [site] });
      expect(await service.reeve.operations.result(taken)).toMatchObject({ outcome: 'failed' });
      const { state, successors } = await read('Town', town);
      expect(state).toBe('Refused');
      expect(successors.find(({ key }) => key === site)).toMatchObject({
        event: 'rejected',
        outcome: { rejection: { code } },
      });
    }
  });
});

describe('on a real service', () => {
  it('subordinates are read with their entity (S1.2)', async () => {
    await open('guarded');
    await service.reeve.raise(Site, 'guarded', 'guard', { name: 'office' });
    expect((await read('Site', 'guarded')).subordinates).toEqual({
      firewallRules: { office: { from: '10.0.0.1', to: '10.0.0.9' } },
    });
  });

  it('an entity in a terminal state stays readable, keeps its key, and rejects every event (S1.3)', async () => {
    await open('old');
    await service.reeve.operations.result(await service.reeve.raise(Site, 'old', 'archive'));
    expect(await service.reeve.read(ref('Site', 'old'))).toMatchObject({
      gone: false,
      snapshot: { state: 'Archived' },
    });
    const terminal = { code: 'terminal', state: 'Archived' };
    expect(await rejection(service.reeve.raise(Site, 'old', 'drop'))).toMatchObject(terminal);
    const create = service.reeve.create(Site, 'old', 'build', { construct: { size: 1 } });
    expect(await rejection(create)).toMatchObject(terminal);
  });

  it('an internal event is not for clients, nor for signals (S2.1)', async () => {
    const taken = await service.reeve.create(Town, 'bath', 'found', { sites: [] });
    await service.reeve.operations.result(taken);
    expect(await rejection(service.reeve.raise(Town, 'bath', 'ready'))).toMatchObject({
      code: 'not_public',
    });
    await service.environment.client.workflow.getHandle('Town/bath').signal('ready', {});
    await until(async () => expect((await read('Town', 'bath')).dropped).toMatchObject({ signal: 'ready' }));
    expect((await read('Town', 'bath')).state).toBe('Ready');
  });

  it('anyone may ask which events are valid now (S2.6)', async () => {
    await open('asked');
    const events = await service.reeve.allowedEvents(ref('Site', 'asked'));
    expect(events.filter(({ allowed }) => allowed).map(({ event }) => event)).toEqual([
      'guard',
      'archive',
      'seal',
      'drop',
    ]);
    expect(events[0]).toMatchObject({ event: 'build', allowed: false, rejection: { code: 'not_valid' } });
  });
});

describe('a link that asks for something to be there, on a real service (S1.1)', () => {
  const sender = { name: 'Ada', city: 'London' };
  const resultOf = async (taken: ReturnType<typeof service.reeve.raise>) =>
    service.reeve.operations.result(await taken);
  const bring = (depot: string) => resultOf(service.reeve.raise(Parcel, 'p', 'bring', { depot }));
  const failed = { outcome: 'failed', errors: [{ code: 'link_target_absent' }] };

  it('leads to what was there when it was set, and nothing comes to be without that', async () => {
    await service.reeve.construct(Depot, 'north', {});
    const create = (depot: string) => service.reeve.construct(Parcel, 'p', { sender, depot });
    expect(await rejection(create('nowhere'))).toMatchObject({
      ...{ code: 'link_target_absent', entity: 'Parcel/p' },
      issues: [{ path: 'construct.depot' }],
    });
    expect(await rejection(service.reeve.read(ref('Parcel', 'p')))).toMatchObject({ code: 'absent' });
    await create('north');
    expect(await bring('nowhere')).toMatchObject(failed);
    expect((await read('Parcel', 'p')).links).toEqual({ depot: 'north', passed: [] });
    await service.reeve.construct(Depot, 'south', {});
    expect(await bring('south')).toMatchObject({ outcome: 'success' });
    await resultOf(service.reeve.raise(Depot, 'north', 'close'));
    expect(await bring('north')).toMatchObject(failed);
    expect((await read('Parcel', 'p')).links).toEqual({ depot: 'south', passed: ['north'] });
  });

  it('is kept by those that another entity creates, too', async () => {
    await service.reeve.construct(Office, 'o', {});
    const post = (parcel: string, opens: boolean) =>
      resultOf(service.reeve.raise(Office, 'o', 'post', { parcel, depot: 'new', opens }));
    expect(await post('one', false)).toMatchObject(failed);
    expect(await rejection(service.reeve.read(ref('Parcel', 'one')))).toMatchObject({ code: 'absent' });
    expect(await post('two', true)).toMatchObject({ outcome: 'success' });
    expect((await read('Parcel', 'two')).links).toMatchObject({ depot: 'new' });
  });

  it('leaves histories that replay (S4.1a)', async () => {
    const { workflowBundle } = service;
    const query = 'WorkflowType IN ("Parcel", "Depot", "Office")';
    const replayed: string[] = [];
    // The list is a moment behind.
    await until(async () => {
      replayed.length = 0;
      const histories = service.environment.client.workflow.list({ query }).intoHistories();
      for await (const { workflowId, error } of replayHistories(workflowBundle, histories)) {
        expect(error, workflowId).toBeUndefined();
        replayed.push(workflowId);
      }
      expect(replayed).toEqual(expect.arrayContaining(['Parcel/p', 'Depot/north', 'Depot/south', 'Office/o']));
    });
  });
});
