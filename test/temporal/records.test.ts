import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endedOperation } from '../../src/protocol/ended-operation.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { Box, Room } from '../entities/box.js';
import { MemoryKeeper } from '../support/memory-keeper.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
const keeper = new MemoryKeeper();
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
    records: keeper,
  });
});
afterAll(async () => service.close());

const place = async (key: string) =>
  service.reeve.operations.result(
    await service.reeve.create(Box, key, 'place', { label: key }, { requestId: `${key}-place` }),
  );
const remove = async (key: string) =>
  service.reeve.operations.result(await service.reeve.raise(Box, key, 'remove', { requestId: `${key}-remove` }));
const relabel = (key: string, times: number, characters = 10) =>
  Promise.all(
    Array.from({ length: times }, (_, index) =>
      service.reeve.raise(Box, key, 'relabel', { label: `label ${index} `.padEnd(characters, '.') }),
    ),
  );
/** Removes the box, and waits until the store has all of its transitions for good. */
const everyVersionKept = async (key: string) => {
  await remove(key);
  const { snapshot } = await service.reeve.read({ type: 'Box', key });
  await until(() => {
    const versions = ofBox(keeper.kept, key).flatMap((each) => (each.kind === 'transition' ? [each.version] : []));
    return Promise.resolve(expect(new Set(versions).size).toBe(snapshot.version));
  });
};
const currentRun = async (key: string) =>
  (await service.environment.client.workflow.getHandle(`Box/${key}`).describe()).runId;
/** Those of which the end of their only event tells. */
const operationsIn = (records: readonly StoreRecord[]) =>
  records.flatMap((record) => (record.kind === 'event' ? (endedOperation(record) ?? []) : []));
const ofBox = (records: readonly StoreRecord[], key: string) =>
  records.filter((record) =>
    'entity' in record ? record.entity.key === key : record.kind === 'operation' && record.name.endsWith(`/${key}`),
  );

describe('what the store is told (S5.1, S5.2)', () => {
  it('is offered while the entity goes on, and kept before its workflow ends', async () => {
    await place('oak');
    const { snapshot } = await service.reeve.read({ type: 'Box', key: 'oak' });
    await until(() => {
      const offered = ofBox(keeper.offered, 'oak');
      const transitions = offered.filter(({ kind }) => kind === 'transition');
      return Promise.resolve(expect(transitions).toHaveLength(snapshot.version));
    });
    await remove('oak');
    await until(async () => expect((await service.reeve.read({ type: 'Box', key: 'oak' })).gone).toBe(true));
    const last = await service.reeve.read({ type: 'Box', key: 'oak' });
    const kept = ofBox(keeper.kept, 'oak');
    const transitions = kept.flatMap((record) => (record.kind === 'transition' ? [record] : []));
    expect(transitions.map(({ version }) => version).sort((a, b) => a - b)).toEqual(
      Array.from({ length: last.snapshot.version }, (_, index) => index + 1),
    );
    expect(transitions[0]).toMatchObject({ type: 'EventAction', startState: 'Absent', event: 'oak-place', ordinal: 1 });
    expect(kept.filter(({ kind }) => kind === 'event')).toMatchObject([
      {
        id: 'oak-place',
        event: 'place',
        eventType: 'raised',
        startState: 'Absent',
        endHealth: 'normal',
        position: '1',
      },
      { id: 'oak-remove', event: 'remove', endState: last.snapshot.state },
    ]);
    expect(operationsIn(kept)).toMatchObject([
      { id: 'oak-place', name: 'place Box/oak', outcome: 'success' },
      { id: 'oak-remove', name: 'remove Box/oak', outcome: 'success' },
    ]);
    expect(kept.filter(({ kind }) => kind === 'entity')).toMatchObject([
      { deleted: true, version: last.snapshot.version },
    ]);
  });

  it('is asked for aside while much goes on: nobody waits for a store that hangs (record-outbox.2)', async () => {
    await place('ash');
    let open: () => void = () => undefined;
    keeper.gate = new Promise((resolve) => (open = resolve));
    expect(await relabel('ash', 1_100)).toHaveLength(1_100);
    const many = () => keeper.waiting.filter(({ count }) => count >= 2_000);
    await until(() => Promise.resolve(expect(many().length).toBeGreaterThan(0)));
    expect(many().filter(({ local }) => local)).toEqual([]);
    keeper.gate = undefined;
    open();
    await everyVersionKept('ash');
  });

  it('is sent again when it is missing, and only then; none is lost when the entity goes on in a new run (record-outbox.4)', async () => {
    await place('fir');
    const before = { confirmed: keeper.confirmed, brought: keeper.brought };
    keeper.losesOffers = true;
    await relabel('fir', 100);
    keeper.losesOffers = false;
    const firstRun = await currentRun('fir');
    // More than a run may hold.
    await relabel('fir', 1_400, 2_000);
    await until(async () => {
      await relabel('fir', 1);
      expect(await currentRun('fir')).not.toBe(firstRun);
    });
    await everyVersionKept('fir');
    const { confirmed, brought } = keeper;
    expect(brought - before.brought).toBeGreaterThanOrEqual(200);
    expect(brought - before.brought).toBeLessThan(1_000);
    expect(confirmed - before.confirmed).toBeGreaterThan(2_500);
  });

  it('waits while the store is unavailable, and nothing waits for it; carriers bring it later', async () => {
    keeper.away = true;
    await place('elm');
    await remove('elm');
    await until(async () => expect((await service.reeve.read({ type: 'Box', key: 'elm' })).gone).toBe(true));
    expect(keeper.refusals).toBeGreaterThan(0);
    expect(ofBox(keeper.kept, 'elm')).toEqual([]);
    keeper.away = false;
    const { snapshot } = await service.reeve.read({ type: 'Box', key: 'elm' });
    await until(() => {
      const kept = ofBox(keeper.kept, 'elm');
      const versions = kept.flatMap((record) => (record.kind === 'transition' ? [record.version] : []));
      expect(new Set(versions).size).toBe(snapshot.version);
      const operations = operationsIn(kept).map(({ id }) => id);
      return Promise.resolve(expect(new Set(operations)).toEqual(new Set(['elm-place', 'elm-remove'])));
    });
  });
});
