import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { Order } from '../../examples/xstate/order/definition.js';
import { payments } from '../../examples/xstate/payments.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { implementResource } from '../../src/temporal/resources.js';
import { callReeve } from '../support/reeve-call.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const EXAMPLE = fileURLToPath(new URL('../../examples/xstate', import.meta.url));
/** The imported lines that were replaced by hand. The lines in their place have BY_HAND. */
const REPLACED: Readonly<Record<string, readonly string[]>> = {
  'definition.ts': [
    `    paying: unstable({ retry: { attempts: 5, delay: '1s', exhausted: 'unpaid' } }),`,
    `    add: { in: 'open', stays: true },`,
  ],
  'actions.ts': [
    '  add: async () => {',
    `    // TODO: do what 'addItem' did.`,
    `    // TODO: call a resource that does what 'charge' did: await self.call(...).`,
    `    // TODO: do what 'keepReceipt' did.`,
  ],
};
const BY_HAND = 'by hand';

it('examples/xstate is what reeve import xstate writes, but for the lines by hand (S6.3)', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-xstate-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const printed = await callReeve(['import', 'xstate', 'order.json', '--folder', folder], {}, EXAMPLE);
  expect(printed).toMatchObject({ code: 0, stderr: '' });
  for (const [name, replaced] of Object.entries(REPLACED)) {
    const file = join(EXAMPLE, 'order', name);
    const written = await readFile(join(folder, 'order', name), 'utf8');
    const imported = (await format(written, { ...(await resolveConfig(file)), filepath: file })).split('\n');
    const committed = (await readFile(file, 'utf8')).split('\n');
    expect(imported.filter((line) => replaced.includes(line))).toEqual(replaced);
    expect(committed.filter((line) => !line.includes(BY_HAND))).toEqual(
      imported.filter((line) => !replaced.includes(line)),
    );
  }
});

describe('the order of examples/xstate', () => {
  let service: TestService;
  const charged: number[] = [];
  let isDeclined = true;
  beforeAll(async () => {
    const provider = implementResource(payments, {
      async charge({ order, amount }) {
        if (order === 'declined' && isDeclined) throw new ResourceError('declined', 'The card has been declined.');
        charged.push(amount);
        return { receipt: `receipt of ${order}` };
      },
    });
    service = await startTestService({
      workflows: '../examples/xstate/workflows.ts',
      declarations: ['../examples/xstate/order/definition.ts'],
      entities: [Order],
      resources: [provider],
    });
  });
  afterAll(() => service?.close());

  const read = async (key: string) => (await service.reeve.read({ type: 'Order', key })).snapshot;

  it('is paid by the service that the machine invokes, and reaches its final state after the delay (S6.3)', async () => {
    const { reeve } = service;
    await reeve.create(Order, 'good', 'add', { price: 20 });
    await reeve.raise(Order, 'good', 'add', { price: 5 });
    const operation = await reeve.raise(Order, 'good', 'checkout');
    expect(await reeve.operations.result(operation)).toMatchObject({ outcome: 'success' });
    expect(charged).toContain(25);
    const sent = await until(async () => {
      const snapshot = await read('good');
      expect(snapshot.state).toBe('sent');
      return snapshot;
    });
    expect(sent.properties).toEqual({ amount: 25, receipt: 'receipt of good' });
  });

  it('goes where onError leads when the service fails, and on from there (S6.3)', async () => {
    const { reeve } = service;
    await reeve.create(Order, 'declined', 'add', { price: 7 });
    const failed = await reeve.raise(Order, 'declined', 'checkout');
    expect(await reeve.operations.result(failed)).toMatchObject({ outcome: 'failed' });
    expect(await read('declined')).toMatchObject({ state: 'unpaid', failure: { code: 'declined' } });
    isDeclined = false;
    const paid = await reeve.raise(Order, 'declined', 'pay');
    expect(await reeve.operations.result(paid)).toMatchObject({ outcome: 'success' });
    await until(async () => expect((await read('declined')).state).toBe('sent'));
    expect(charged).toContain(7);
  });

  it('is canceled by an event of two states (S6.3)', async () => {
    const { reeve } = service;
    await reeve.create(Order, 'canceled', 'add', { price: 1 });
    await reeve.raise(Order, 'canceled', 'cancel');
    await until(async () => expect((await read('canceled')).state).toBe('canceled'));
    await expect(reeve.raise(Order, 'canceled', 'checkout')).rejects.toThrow();
  });
});
