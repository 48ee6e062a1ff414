import { expect, it } from 'vitest';
import { box } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const PLACED = { output: { place: 3 }, restarts: 0 };

/** A box that looks, while as many events come. */
async function lookingBox(events: number): Promise<LoneEntity> {
  const request = { id: 'place', event: 'place', params: { label: 'new' } };
  const entity = new LoneEntity(box, { kind: 'create', key: 'k', request });
  await entity.pass(1_000);
  entity.calls.shift()!.answer(PLACED);
  await entity.calm();
  entity.handlers!.signal('look');
  await entity.calm();
  for (let number = 1; number <= events; number++) entity.handlers!.signal('relabel', { label: String(number) });
  await entity.calm();
  return entity;
}

it('however many events wait, a task ends after some of them, and the others have their turn (entity-steps.1)', async () => {
  const entity = await lookingBox(110);
  expect(entity.snapshot.waiting).toHaveLength(110);
  entity.calls.shift()!.answer(PLACED);
  const labels = [];
  for (let task = 0; task < 3; task++) {
    await entity.calm();
    labels.push(entity.snapshot.properties['label']);
    // An event that comes meanwhile waits behind those that have come before.
    if (task === 0) {
      const late = entity.raise({ id: 'late', event: 'relabel', params: { label: 'late' } });
      expect(await late).toMatchObject([{ status: 'waiting', behind: 'its turn' }]);
    }
    await entity.pass(1);
  }
  expect(labels).toEqual(['50', '100', 'late']);
  expect(entity.snapshot).toMatchObject({ waiting: [], properties: { label: 'late' } });
});
