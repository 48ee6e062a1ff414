import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallbackQuestion } from '../../src/protocol/callback.js';
import { CallbackKeys } from '../../src/temporal/callback-address.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Contract, signaturesByActivity, signaturesByCallback } from '../entities/contract.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const CONTRACTS = 100;
const keys = new CallbackKeys(randomBytes(32).toString('base64'));
const names = (prefix: string) => Array.from({ length: CONTRACTS }, (_, index) => `${prefix}-${index}`);

/** Those that wait for a machine, and what lets them go. */
const machines = new Map<string, () => void>();
/** The questions that people were asked. */
const asked = new Map<string, CallbackQuestion>();
let isOpen = false;
let service: TestService;

const byActivity = implementResource(signaturesByActivity, {
  sign: async ({ key }) => {
    if (!isOpen) await new Promise<void>((go) => machines.set(key, go));
    return { by: 'machine' };
  },
});
const byCallback = implementResource(signaturesByCallback, {
  sign: async ({ key }, { callback }) => void asked.set(key, keys.questionOf(callback.token)!),
});

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/contract-by-activity-workflows.ts',
    declarations: ['entities/contract.ts'],
    entities: [Contract],
    resources: [byActivity],
    callbacks: { url: 'https://callbacks.example/api', keys },
  });
});
afterAll(async () => service.close());

async function sign(all: readonly string[]): Promise<void> {
  await Promise.all(
    all.map(async (key) => {
      await service.reeve.construct(Contract, key, {});
      await service.reeve.raise(Contract, key, 'sign');
    }),
  );
}

async function allSigned(all: readonly string[], by: readonly string[]): Promise<void> {
  for (const key of all) {
    await until(async () => {
      const { snapshot } = await service.reeve.read({ type: 'Contract', key });
      expect(snapshot).toMatchObject({ state: 'Signed', properties: { by } });
    });
  }
}

async function answer(key: string): Promise<void> {
  await until(async () => expect(asked.has(key)).toBe(true));
  await service.reeve.answer(asked.get(key)!, { output: { by: 'person' } });
}

describe('a call whose way changes while actions run (A7)', () => {
  it('ends as it was begun, and calls that come later go the new way, there and back', async () => {
    const first = names('first');
    await sign(first);
    await until(async () => expect(machines.size).toBeGreaterThan(0));
    const replaced = service.replaceWorker('entities/contract-by-callback-workflows.ts', [byCallback]);
    // The old worker ends what it has begun.
    isOpen = true;
    for (const go of machines.values()) go();
    await replaced;
    const second = names('second');
    await sign(second);
    for (const key of second) await until(async () => expect(asked.has(key)).toBe(true));

    // The questions that were asked are answered, and what comes after them is done by machines again.
    await service.replaceWorker('entities/contract-by-activity-workflows.ts', [byActivity]);
    for (const key of second) await answer(key);
    await allSigned(second, ['person', 'machine']);

    for (const key of first) {
      const { snapshot } = await service.reeve.read({ type: 'Contract', key });
      if (snapshot.state !== 'Signed') for (const name of [key, `${key}-2`]) if (asked.has(name)) await answer(name);
    }
    for (const key of first) {
      await until(async () => {
        const { snapshot } = await service.reeve.read({ type: 'Contract', key });
        expect(snapshot.state).toBe('Signed');
      });
    }
  });
});
