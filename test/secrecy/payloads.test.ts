import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomBytes } from 'node:crypto';
import { ReeveClient } from '../../src/client/client.js';
import { destroyKey, rotateKeys } from '../../src/secrecy/key-changes.js';
import type { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';
import { SNAPSHOT_QUERY } from '../../src/protocol/names.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { toProblem } from '../../src/service/problem.js';
import { replayRecords, type ReplayedRun } from '../../src/temporal/replay-records.js';
import { temporalClient } from '../../src/temporal/temporal-client.js';
import { cashiers, Invoice } from '../entities/invoice.js';
import { approvals, Order } from '../entities/order.js';
import { histories, placesOf } from '../support/secret-scan.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { keyFile } from './key-file.js';

const NEEDLE = 'needle-5f0c2a91';
const keyed = { secret: randomBytes(32).toString('base64') };
const callbacks = { url: 'https://callbacks.example/api', keys: new CallbackKeys(keyed.secret) };
const tokens = new Map<number, string>();
let file: PayloadKeyFile;
let service: TestService;

beforeAll(async () => {
  file = await keyFile();
  service = await startTestService({
    workflows: 'entities/secrecy-workflows.ts',
    declarations: ['entities/order.ts', 'entities/invoice.ts'],
    entities: [Order, Invoice],
    resources: [
      implementResource(approvals, {
        ask: async ({ amount }, { callback }) => {
          if (amount === 13) throw new Error(`the provider says ${NEEDLE}`);
          tokens.set(amount, callback.token);
        },
        book: async () => ({}),
      }),
      implementResource(cashiers, { bill: async () => ({}) }),
    ],
    callbacks,
    payloads: { keys: file, compresses: true },
  });
});
afterAll(() => service.close());

const state = async (key: string) => (await service.reeve.read({ type: 'Order', key })).snapshot.state;
const tokenOf = (amount: number) =>
  until(async () => expect(tokens.get(amount)).toBeDefined()).then(() =>
    callbacks.keys.questionOf(tokens.get(amount)!)!,
  );
const currentKey = async () => (await file.current()).id;

describe('encrypted payloads (Q5)', () => {
  it('whatever is raised, answered, called and thrown stands in no history in the clear, and is read by who has the keys', async () => {
    await service.reeve.create(Order, 'a', 'place', { amount: 1 });
    await service.reeve.answer(await tokenOf(1), { output: { by: NEEDLE } });
    await until(async () => expect(await state('a')).toBe('Approved'));
    expect((await service.reeve.read({ type: 'Order', key: 'a' })).snapshot.properties).toMatchObject({ by: NEEDLE });

    await service.reeve.create(Order, 'b', 'place', { amount: 13 });
    await until(async () => {
      const { lastError } = (await service.reeve.read({ type: 'Order', key: 'b' })).snapshot;
      expect(lastError?.message ?? '').toContain(NEEDLE);
    });
    const written = await histories(service.client);
    expect(placesOf([NEEDLE], written)).toEqual([]);
    // The scan sees what is not encrypted.
    expect(placesOf(['approvals.ask'], written).length).toBeGreaterThan(0);
    expect(placesOf(['Encoded failure'], written).length).toBeGreaterThan(0);
  });

  it('the rows are made again from encrypted histories, which say how far each entity has come (S5.2)', async () => {
    const { client, workflowBundle } = service;
    const never = { taskQueue: 'nobody', workflowId: 'Order/never', args: [{ kind: 'create', key: 'never' }] };
    await (await client.workflow.start('Order', never)).terminate('no worker has ever seen it');
    const settings = { entities: [Order], taskQueue: 'reeve', payloads: { keys: file } };
    const runs = await until(async () => {
      const found: ReplayedRun[] = [];
      for await (const run of replayRecords(client, workflowBundle, settings)) found.push(run);
      expect(found.map(({ workflowId }) => workflowId)).toContain('Order/never');
      return found;
    });
    expect(runs.filter(({ problem }) => problem !== undefined)).toEqual([]);
    expect(JSON.stringify(runs)).toContain(NEEDLE);
    const of = (id: string) => runs.find(({ workflowId }) => workflowId === id);
    const { life } = (await service.reeve.read({ type: 'Order', key: 'a' })).snapshot;
    expect(of('Order/a')?.told).toMatchObject({ life, until: expect.any(Number) });
    expect(of('Order/a')?.records).toContainEqual(expect.objectContaining({ kind: 'entity' }));
    // A replay of the task that never was would tell of an entity that never came to be.
    expect(of('Order/never')).toMatchObject({ records: [], told: { unborn: true } });
  });

  it('whoever lacks the keys is told which key and which setting it takes', async () => {
    const { connection } = service.environment;
    const client = temporalClient({ connection, namespace: service.namespace });
    const reeve = new ReeveClient({ client, entities: [Order, Invoice] });
    const read = reeve.read({ type: 'Order', key: 'a' });
    await expect(read).rejects.toThrow(/REEVE_PAYLOAD_KEYS/);
    expect(toProblem(await read.catch((thrown: unknown) => thrown))).toMatchObject({
      status: 503,
      code: 'payload_key',
    });
    await expect(client.workflow.getHandle('Order/a').query('no such query')).rejects.toThrow();
    const id = await currentKey();
    await expect(client.workflow.getHandle('Order/a').query(SNAPSHOT_QUERY)).rejects.toThrow(id);
  });

  it('an event in the clear is refused alone: the entity goes on, and a message of another entity is not lost (S1.5a)', async () => {
    const { connection } = service.environment;
    const clear = temporalClient({ connection, namespace: service.namespace }).workflow.getHandle('Order/e');
    await service.reeve.create(Order, 'e', 'place', { amount: 5 });
    const question = await tokenOf(5);
    await clear.signal('place', { amount: 6 });
    // It is rejected, by a message that only the keys open.
    await expect(clear.executeUpdate('raise', { args: [{ events: [] }] })).rejects.toThrow(await currentKey());
    await service.reeve.answer(question, { output: { by: 'eve' } });
    await until(async () => expect(await state('e')).toBe('Approved'));
    const failed = async () => {
      const { events } = await clear.fetchHistory();
      return events!.flatMap(
        ({ workflowTaskFailedEventAttributes: task }) => task?.failure?.cause?.message ?? task?.failure?.message ?? [],
      );
    };
    expect(await failed()).toEqual([]);
    await clear.signal('report Ready', {});
    await until(async () => expect(await failed()).not.toEqual([]));
    await clear.terminate('its tasks fail until a worker reads payloads in the clear');
  });

  it('keys rotate while events come, and what was written under a destroyed key is refused', async () => {
    await service.reeve.create(Order, 'c', 'place', { amount: 3 });
    const question = await tokenOf(3);
    const before = await currentKey();
    await file.write(rotateKeys(await file.read(), undefined, new Date()).content);
    expect(await currentKey()).not.toBe(before);
    await service.reeve.answer(question, { output: { by: 'ann' } });
    await until(async () => expect(await state('c')).toBe('Approved'));
    await service.reeve.create(Order, 'd', 'place', { amount: 4 });
    await tokenOf(4);

    await file.write(destroyKey(await file.read(), before, new Date()).content);
    await until(async () => await expect(file.find(before)).rejects.toThrow('was destroyed at'));
    // It has begun under the new key, and goes on.
    await service.reeve.answer(await tokenOf(4), { output: { by: 'bob' } });
    await until(async () => expect(await state('d')).toBe('Approved'));
    // Its input is of the destroyed key.
    const input = service.client.workflow.getHandle('Order/c').fetchHistory();
    const [start] = (await input).events!;
    const { payloads } = start!.workflowExecutionStartedEventAttributes!.input!;
    const [codec] = service.client.options.loadedDataConverter.payloadCodecs;
    await expect(codec!.decode(payloads!)).rejects.toThrow(`the payload key ${before}, which was destroyed at`);
  });
});
