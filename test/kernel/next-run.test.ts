import { expect, it } from 'vitest';
import { migrationHindrance } from '../../src/kernel/index.js';
import { LoneEntity } from '../support/lone-entity.js';
import { box } from '../entities/workflows.js';

it('is taken over by another build only while nothing runs on it, and nothing is promised (Q2)', async () => {
  const entity = new LoneEntity(box, {
    kind: 'create',
    key: 'k',
    request: { id: 'r', event: 'place', params: { label: 'x' } },
  });
  await entity.calm();
  expect(entity.snapshot.running).toBeDefined();
  expect(migrationHindrance(entity.snapshot)).toBe("the action 'put' runs");
  entity.calls.shift()!.answer({ output: { place: 1 }, restarts: 0 });
  await entity.calm();
  const { snapshot } = entity;
  expect(snapshot.state).toBe('Placed');
  expect(migrationHindrance(snapshot)).toBeUndefined();
  expect(migrationHindrance({ ...snapshot, holds: [{ on: { type: 'Room', key: 'r' } }] as never })).toBeDefined();
  expect(
    migrationHindrance({ ...snapshot, reservation: { owner: { type: 'Room', key: 'r' } } as never }),
  ).toBeDefined();
  expect(migrationHindrance({ ...snapshot, postponed: { running: { action: 'put' } } as never })).toBeDefined();
});
