import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rejected } from '../../src/protocol/errors.js';
import type { Creation } from '../../src/protocol/creation.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

const read = (key: string) => service.reeve.read({ type: 'Box', key });
const place = (key: string, requestId: string, label = 'x') =>
  service.reeve.create(Box, key, 'place', { label }, { requestId });
const remove = (key: string, requestId: string) => service.reeve.raise(Box, key, 'remove', { requestId });
const code = (raised: Promise<unknown>) =>
  raised.then(
    () => 'accepted',
    (thrown: unknown) => (thrown instanceof Rejected ? thrown.code : String(thrown)),
  );

async function liveAndDie(key: string): Promise<void> {
  expect((await service.reeve.operations.result(await place(key, `${key}-place`))).outcome).toBe('success');
  await service.reeve.operations.result(await remove(key, `${key}-remove`));
  await until(async () => expect((await read(key)).gone).toBe(true));
}

describe('the next life of a key', () => {
  it('does not begin by a request that the last one has had: that gets its first outcome (S1.3, S2.5)', async () => {
    await liveAndDie('cat');
    const again = await place('cat', 'cat-place');
    expect(again.answer).toMatchObject({ status: 'accepted', operation: 'cat-place' });
    expect(await service.reeve.operations.result(again)).toMatchObject({ outcome: 'success', name: 'place Box/cat' });
    expect((await read('cat')).gone).toBe(true);
    expect(await code(place('cat', 'cat-place', 'another label'))).toBe('request_conflict');
  });

  it('knows the requests of the last one: they run nothing in it (S1.3, S2.5)', async () => {
    await liveAndDie('owl');
    await service.reeve.operations.result(await place('owl', 'owl-place-again'));
    const { snapshot } = await read('owl');
    expect((await remove('owl', 'owl-remove')).answer).toMatchObject({ status: 'accepted' });
    expect((await place('owl', 'owl-place')).answer).toMatchObject({ status: 'accepted', operation: 'owl-place' });
    expect(await read('owl')).toEqual({ snapshot, gone: false });
    await service.reeve.operations.result(await remove('owl', 'owl-remove-again'));
    await until(async () => expect((await read('owl')).gone).toBe(true));
    expect((await place('owl', 'owl-place')).answer).toMatchObject({ status: 'accepted' });
    expect((await read('owl')).gone).toBe(true);
  });

  it('knows them also when another entity has created it (S1.3, S2.5)', async () => {
    await liveAndDie('fox');
    const furnished = await service.reeve.create(Room, 'den', 'furnish', { boxes: ['fox'] });
    expect((await service.reeve.operations.result(furnished)).outcome).toBe('success');
    const { snapshot, gone } = await read('fox');
    expect({ state: snapshot.state, gone }).toEqual({ state: 'Placed', gone: false });
    expect((await remove('fox', 'fox-remove')).answer).toMatchObject({ status: 'accepted' });
    expect((await read('fox')).snapshot.version).toBe(snapshot.version);
  });

  it('keeps them also when it was refused at birth, and never came to be (S1.3, S2.2)', async () => {
    await liveAndDie('emu');
    const { snapshot: inherits } = await read('emu');
    const creation: Creation = { kind: 'create', key: 'emu', request: { id: 'emu-look', event: 'look' }, inherits };
    const { client } = service.environment;
    const born = await client.workflow.start('Box', { workflowId: 'Box/emu', taskQueue: 'reeve', args: [creation] });
    await born.result();
    expect(await read('emu')).toMatchObject({ snapshot: inherits, gone: true });
    expect((await place('emu', 'emu-place')).answer).toMatchObject({ status: 'accepted', operation: 'emu-place' });
    expect((await read('emu')).gone).toBe(true);
  });

  it('does not begin either when what starts it was known already (S1.3, S2.5)', async () => {
    await liveAndDie('yak');
    const { snapshot: inherits } = await read('yak');
    const request = { id: 'yak-place', event: 'place', params: { label: 'x' } };
    const creation: Creation = { kind: 'create', key: 'yak', request, inherits };
    const { client } = service.environment;
    const born = await client.workflow.start('Box', { workflowId: 'Box/yak', taskQueue: 'reeve', args: [creation] });
    expect(await born.result()).toEqual(inherits);
  });
});
