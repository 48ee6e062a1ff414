import { ApplicationFailure, WorkflowNotFoundError, WorkflowUpdateFailedError, type Client } from '@temporalio/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { EntityReader, EntityReading } from '../../src/client/entity-reader.js';
import type { Explainer } from '../../src/client/explain/explainer.js';
import type { DistributedOperations } from '../../src/client/distributed.js';
import { OperationReader } from '../../src/client/operation-reader.js';
import { PastReader } from '../../src/client/past-reader.js';
import { Rejected } from '../../src/protocol/errors.js';
import type { LedgerEntry } from '../../src/protocol/snapshot.js';

const ON = { type: 'Box', key: 'a' };
const OUTCOME = { state: 'Filling', version: 2, health: 'normal', waiting: true } as const;

afterEach(() => vi.useRealTimers());

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
  const entities = { read: async () => reading, refusedBirth: async () => undefined } as unknown as EntityReader;
  return new OperationReader(client, entities, {} as Explainer, new PastReader(client, undefined), NO_INSTANCES);
}

/** Nothing here is a distributed operation. */
const NO_INSTANCES = {} as DistributedOperations;

it('an operation that appears while its entity is asked is not told by how it began (S4.2, S4.7)', async () => {
  const followed = readerOf({ outcome: OUTCOME, followed: true });
  expect(await followed.read('one', ON)).toMatchObject({ state: 'ended', result: { outcome: 'failed' } });
  expect(await readerOf({ outcome: OUTCOME }).read('one', ON)).toMatchObject({ state: 'settled', outcome: OUTCOME });
  expect(await readerOf({}).read('one', ON)).toMatchObject({ state: 'beginning', event: 'place' });
});

it('a read asks Temporal about a refused birth only where the entity does not know the request (S2.2)', async () => {
  const asked = vi.fn(async () => undefined);
  const notYet = () => Promise.reject(new WorkflowNotFoundError('not yet', 'op/one', undefined));
  const workflow = { getHandle: () => ({ describe: notYet }) };
  const client = { workflow, withDeadline: (_: number, ask: () => Promise<unknown>) => ask() } as unknown as Client;
  const known = { id: 'one', event: 'place', fingerprint: '', operation: 'one', outcome: OUTCOME };
  const entities = { read: async () => ({ snapshot: { ...ON, ledger: { recent: [known] } } }), refusedBirth: asked };
  const reader = new OperationReader(
    client,
    entities as never,
    {} as Explainer,
    new PastReader(client, undefined),
    NO_INSTANCES,
  );
  await reader.read('one', ON);
  expect(asked).not.toHaveBeenCalled();
  await expect(reader.read('two', ON)).rejects.toMatchObject({ code: 'absent' });
  expect(asked).toHaveBeenCalledWith(ON, 'two');
});

describe('the outcome of an operation that does not appear, since one task of its entity lasts very long', () => {
  const answer = { status: 'accepted', operation: 'one' } as const;
  const taken = { entity: ON, event: 'place', requestId: 'one', answer };
  const entry = { id: 'one', event: 'place', fingerprint: '', operation: 'one' };
  const notYet = () => new WorkflowNotFoundError('not yet', 'op/one', undefined);

  /**
   * Waits for an operation that appears when it is looked for the tenth time. Each look and each question takes 8 s. `entity` is
   * how the entity reads meanwhile.
   */
  function outcomeOf(entity: () => Promise<EntityReading>) {
    vi.useFakeTimers({ toFake: ['Date'] });
    const passes = () => void vi.setSystemTime(Date.now() + 8_000);
    let looks = 0;
    const look = async () => {
      passes();
      if (++looks < 10) throw notYet();
      return { id: 'one', outcome: 'success' };
    };
    const handle = {
      describe: () => Promise.reject(notYet()),
      result: look,
      executeUpdate: async () => {
        passes();
        const cause = ApplicationFailure.nonRetryable('an operation tells it, or nobody', 'followed');
        throw new WorkflowUpdateFailedError('rejected', cause);
      },
    };
    const workflow = { getHandle: () => handle };
    const client = { workflow, withDeadline: (_: number, ask: () => Promise<unknown>) => ask() } as unknown as Client;
    const entities = { read: entity, refusedBirth: async () => undefined } as unknown as EntityReader;
    return new OperationReader(
      client,
      entities,
      {} as Explainer,
      new PastReader(client, undefined),
      NO_INSTANCES,
    ).result(taken);
  }

  const knows = (...recent: LedgerEntry[]) =>
    ({ snapshot: { ...ON, ledger: { recent } }, gone: false }) as unknown as EntityReading;

  it('is waited for while the entity knows the event (S4.7)', async () => {
    await expect(outcomeOf(async () => knows(entry))).resolves.toMatchObject({ outcome: 'success' });
  });

  it('is told by the entity, when the event has settled by then (S4.7)', async () => {
    const settled = outcomeOf(async () => knows({ ...entry, outcome: OUTCOME }));
    await expect(settled).resolves.toMatchObject({ outcome: 'success', participants: [{ state: 'Filling' }] });
  });

  it('can be asked for again, while nobody answers for the entity', async () => {
    const refused = { code: 'no_answer', message: 'Nobody answers.', entity: 'Box/a', event: '' };
    await expect(outcomeOf(() => Promise.reject(new Rejected(refused)))).rejects.toMatchObject({ code: 'no_answer' });
  });

  it('is absent only where the entity does not know the event', async () => {
    await expect(outcomeOf(async () => knows())).rejects.toMatchObject({ code: 'absent' });
  });
});
