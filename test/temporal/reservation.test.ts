import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Account, Clerk } from '../entities/bank.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/bank-workflows.ts',
    declarations: ['entities/bank.ts', 'entities/box.ts'],
    entities: [Account, Clerk],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

const account = async (key: string) => (await service.reeve.read({ type: 'Account', key })).snapshot;
const clerk = async (key: string) => (await service.reeve.read({ type: 'Clerk', key })).snapshot;
const open = async (key: string) => service.reeve.operations.result(await service.reeve.create(Account, key, 'open'));
const result = (taken: Parameters<TestService['reeve']['operations']['result']>[0]) =>
  service.reeve.operations.result(taken);

describe('reading and reserving on a real service', () => {
  it('reads another entity as it is committed, or that there is none (S3.3)', async () => {
    await open('seen');
    await service.reeve.raise(Account, 'seen', 'put', { amount: 5 });
    await result(await service.reeve.create(Clerk, 'reader', 'look', { account: 'seen' }));
    expect((await clerk('reader')).properties).toMatchObject({ seen: ['Open 5 v2 settled'] });
    await result(await service.reeve.raise(Clerk, 'reader', 'look', { account: 'unseen' }));
    expect((await clerk('reader')).properties).toMatchObject({ seen: ['nothing'] });
  });

  it('lets others wait while the owner acts (S3.6)', async () => {
    await open('busy');
    const gate = shelf.hold('holder');
    const ponder = { account: 'busy', lease: '1m', count: true };
    const pondering = await service.reeve.create(Clerk, 'holder', 'ponder', ponder);
    await until(async () => expect((await account('busy')).reservation).toMatchObject({ owner: { key: 'holder' } }));
    const put = await service.reeve.raise(Account, 'busy', 'put', { amount: 10 });
    expect(put.answer).toMatchObject({ status: 'waiting', behind: 'the reservation by Clerk/holder' });
    await result(await service.reeve.create(Clerk, 'onlooker', 'look', { account: 'busy' }));
    // An event waits there for its turn. standing.1
    expect((await clerk('onlooker')).properties).toMatchObject({ seen: ['Open 0 v1 busy'] });
    gate.open();
    expect((await result(pondering)).outcome).toBe('success');
    expect((await clerk('holder')).properties).toMatchObject({ seen: ['Open'], fence: 1 });
    expect((await result(put)).outcome).toBe('success');
    expect(await account('busy')).toMatchObject({ properties: { balance: 10 }, waiting: [] });
    expect((await account('busy')).reservation).toBeUndefined();
  });

  it('ends with its lease, and its owner cannot act by it any more (S3.6)', async () => {
    await open('leased');
    const gate = shelf.hold('dreamer');
    const pondering = await service.reeve.create(Clerk, 'dreamer', 'ponder', { account: 'leased', lease: '5s' });
    await until(async () => expect((await account('leased')).reservation).toBeDefined());
    const put = await service.reeve.raise(Account, 'leased', 'put', { amount: 10 });
    expect((await result(put)).outcome).toBe('success');
    gate.open();
    expect(await result(pondering)).toMatchObject({ outcome: 'failed', errors: [{ code: 'reservation_ended' }] });
    expect((await account('leased')).properties).toMatchObject({ balance: 10 });
  });

  it('lasts for the operation when it is asked to, and ends with it (S3.6)', async () => {
    await open('paid');
    const gate = shelf.hold('payer');
    const paying = await service.reeve.create(Clerk, 'payer', 'pay', { account: 'paid' });
    await until(async () => expect((await clerk('payer')).state).toBe('Paying'));
    const put = await service.reeve.raise(Account, 'paid', 'put', { amount: 10 });
    expect(put.answer.status).toBe('waiting');
    gate.open();
    expect((await result(paying)).outcome).toBe('success');
    expect((await result(put)).outcome).toBe('success');
    expect((await account('paid')).properties).toMatchObject({ balance: 11 });
  });

  it('lets two that reserve each other both make progress (S3.6)', async () => {
    const swaps = await Promise.all([
      service.reeve.create(Clerk, 'left', 'swap', { other: 'right' }),
      service.reeve.create(Clerk, 'right', 'swap', { other: 'left' }),
    ]);
    for (const swap of swaps) expect((await result(swap)).outcome).toBe('success');
    for (const key of ['left', 'right']) expect((await clerk(key)).properties['seen']).toHaveLength(1);
  });

  it('refuses to wait for what waits for the action itself, with the names (S3.8)', async () => {
    const gates = ['first', 'second'].map((key) => shelf.hold(key));
    // Both are busy until each has an event of the other to wait for.
    for (const key of ['first', 'second']) await result(await service.reeve.create(Clerk, key, 'nod'));
    await open('shared');
    const busy = await service.reeve.raise(Clerk, 'second', 'ponder', { account: 'shared', lease: '1m' });
    await until(async () => expect((await account('shared')).reservation).toBeDefined());
    const second = await service.reeve.raise(Clerk, 'second', 'ask', { other: 'first', event: 'nod' });
    const first = await service.reeve.raise(Clerk, 'first', 'ask', { other: 'second', event: 'nod' });
    await until(async () => expect((await clerk('second')).waiting).toHaveLength(2));
    for (const gate of gates) gate.open();
    expect((await result(busy)).outcome).toBe('success');
    const errors = [...(await result(second)).errors, ...(await result(first)).errors];
    expect(errors.length).toBeGreaterThan(0);
    for (const { code, message } of errors) {
      expect(code).toBe('deadlock');
      expect(message).toMatch(/Clerk\/(first|second) -> Clerk\/(first|second) -> Clerk\/(first|second)\./);
    }
  });
});
