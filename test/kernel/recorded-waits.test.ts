import { describe, expect, it } from 'vitest';
import type { AnyImplementation } from '../../src/definition/actions.js';
import { recordedWaits } from '../../src/kernel/explain/recorded-waits.js';
import type { EntityRecord, StoreRecord } from '../../src/protocol/records.js';
import { Room } from '../entities/box.js';
import { order } from '../entities/order.js';
import { Puppet } from '../support/entities.js';
import { LoneEntity } from '../support/lone-entity.js';

const DAYS_MS = 2 * 86_400_000;
const REST_MS = 30_000;

/** An order that waits for its approval. */
async function asked(): Promise<LoneEntity> {
  const request = { id: 'place-id', event: 'place', params: { amount: 5 } };
  const entity = new LoneEntity(
    order as AnyImplementation,
    { kind: 'create', key: 'k', request },
    undefined,
    undefined,
    REST_MS,
  );
  await entity.calm();
  entity.calls.shift()!.answer({ restarts: 0 });
  await entity.calm();
  return entity;
}

/** Time passes, so many times as long as an entity rests. */
async function passes(entity: LoneEntity, times: number): Promise<void> {
  for (let time = 0; time < times; time++) await entity.pass(REST_MS);
}

const lastOf = (records: readonly StoreRecord[]) =>
  records.filter((record): record is EntityRecord => record.kind === 'entity').at(-1);

describe('What an entity waits for, as the store and the feed tell it (A6)', () => {
  it('is offered when its action begins to wait, and when that is over', async () => {
    const entity = await asked();
    const { askedAt: since } = entity.snapshot.callbacks![0]!;
    const waits = [{ kind: 'answer', on: 'approvals.ask', since, until: since + DAYS_MS }];
    expect(lastOf(entity.offered)?.waits).toEqual(waits);
    const { version } = entity.snapshot;
    expect(entity.handlers!.waits).toMatchObject({ life: 'life-1', version, waits });
    const { id } = entity.snapshot.callbacks![0]!;
    await entity.raise({ id, event: 'reeve_answer', params: { output: { by: 'ann' } } });
    await entity.calm();
    // Now it books the approval, and waits for nobody outside.
    await entity.pass(1_000);
    entity.calls.shift()!.answer({ output: {}, restarts: 0 });
    await entity.calm();
    expect(entity.snapshot.state).toBe('Approved');
    expect(lastOf(entity.offered)).not.toHaveProperty('waits');
  });

  it('comes to the store for good when the action waits for long, with what was before it (rest.3)', async () => {
    const entity = await asked();
    expect(entity.kept).toEqual([]);
    await passes(entity, 3);
    expect(lastOf(entity.kept)?.waits).toMatchObject([{ on: 'approvals.ask' }]);
    expect(entity.kept.some(({ kind }) => kind === 'transition')).toBe(true);
    const { length } = entity.kept;
    // Once is enough, and it has not rested.
    await passes(entity, 10);
    expect(entity.kept).toHaveLength(length);
    expect(entity.end).toBeUndefined();
  });

  it('is brought again and again while the store is unavailable (rest.3)', async () => {
    const entity = await asked();
    entity.storing = false;
    await passes(entity, 4);
    expect(entity.kept).toEqual([]);
    entity.storing = true;
    await passes(entity, 20);
    expect(lastOf(entity.kept)?.waits).toHaveLength(1);
  });

  it('is nothing where it rests, and what its subscriptions want in a waiting state', () => {
    const { snapshot } = new Puppet(Room);
    expect(recordedWaits(Room, snapshot)).toEqual([]);
    const since = snapshot.enteredAt;
    expect(recordedWaits(Room, { ...snapshot, state: 'Waiting' })).toEqual([
      { kind: 'successors', on: expect.stringContaining('Placed'), since },
      { kind: 'successors', on: expect.stringContaining('failed'), since },
    ]);
  });
});
