import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import { expect, it } from 'vitest';
import type { EntityReader, EntityReading } from '../../src/client/entity-reader.js';
import type { Explainer } from '../../src/client/explain/explainer.js';
import { OperationReader } from '../../src/client/operation-reader.js';
import { PastReader } from '../../src/client/past-reader.js';
import type { LedgerEntry } from '../../src/protocol/snapshot.js';

const ON = { type: 'Box', key: 'a' };
const OUTCOME = { state: 'Filling', version: 2, health: 'normal', waiting: true } as const;

/** Reads an operation whose workflow is there from the second time on at which it is looked for. */
function readerOf(entry: Partial<LedgerEntry>) {
  let looks = 0;
  const handle = {
    describe: async () => {
      if (++looks === 1) throw new WorkflowNotFoundError('not yet', 'op/one', undefined);
      return { status: { name: 'COMPLETED' } };
    },
    result: async () => ({ id: 'one', outcome: 'failed' }),
  };
  const workflow = { getHandle: () => handle };
  const client = { workflow, withDeadline: (_: number, ask: () => Promise<unknown>) => ask() } as unknown as Client;
  const known = { id: 'one', event: 'place', fingerprint: '', operation: 'one', ...entry };
  const reading = { snapshot: { ...ON, ledger: { recent: [known] } }, gone: false } as unknown as EntityReading;
  const entities = { read: async () => reading } as unknown as EntityReader;
  return new OperationReader(client, entities, {} as Explainer, new PastReader(client, undefined));
}

it('an operation that appears while its entity is asked is not told by how it began (S4.2, S4.7)', async () => {
  const followed = readerOf({ outcome: OUTCOME, followed: true });
  expect(await followed.read('one', ON)).toMatchObject({ state: 'ended', result: { outcome: 'failed' } });
  expect(await readerOf({ outcome: OUTCOME }).read('one', ON)).toMatchObject({ state: 'settled', outcome: OUTCOME });
  expect(await readerOf({}).read('one', ON)).toMatchObject({ state: 'beginning', event: 'place' });
});
