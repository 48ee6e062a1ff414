import { expect, it } from 'vitest';
import { mayChangeBuild } from '../../src/kernel/index.js';
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
  expect(mayChangeBuild(entity.snapshot)).toBe(false);
  entity.calls.shift()!.answer({ output: { place: 1 }, restarts: 0 });
  await entity.calm();
  const { snapshot } = entity;
  expect(snapshot.state).toBe('Placed');
  expect(mayChangeBuild(snapshot)).toBe(true);
  expect(mayChangeBuild({ ...snapshot, holds: [{}] as never })).toBe(false);
  expect(mayChangeBuild({ ...snapshot, reservation: {} as never })).toBe(false);
  expect(mayChangeBuild({ ...snapshot, postponed: {} as never })).toBe(false);
});
