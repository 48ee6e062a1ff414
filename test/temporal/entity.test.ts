import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/protocol/errors.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Box, Room, shelf } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';

const failures = new Map<string, number>();
const keys = new Map<string, string[]>();

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [
      implementResource(shelf, {
        put: async ({ name }, { idempotencyKey }) => {
          keys.set(name, [...(keys.get(name) ?? []), idempotencyKey]);
          const left = failures.get(name) ?? 0;
          if (left > 0) {
            failures.set(name, left - 1);
            throw new ResourceError('shelf_full', `no room for ${name}`);
          }
          return { place: name.length };
        },
        look: async ({ name }) => ({ place: name.length }),
      }),
    ],
  });
});
afterAll(async () => service.close());

describe('an entity on a real service', () => {
  it('is created, calls its resource and settles (S4.1)', async () => {
    const taken = await service.reeve.create(Box, 'one', 'place', { label: 'first' });
    const result = await service.reeve.operations.result(taken);
    expect(result.outcome).toBe('success');
    const { snapshot } = await service.reeve.read({ type: 'Box', key: 'one' });
    expect(snapshot).toMatchObject({ state: 'Placed', properties: { place: 3, label: 'first' } });
  });

  it('waits for its successors and follows the operation to the end (S4.2, S4.3)', async () => {
    failures.set('b', 2);
    const taken = await service.reeve.create(Room, 'hall', 'furnish', { boxes: ['a', 'b', 'c'] });
    const result = await service.reeve.operations.result(taken);
    expect(result).toMatchObject({ outcome: 'success', errors: [] });
    expect(result.participants.map(({ type, key, state }) => `${type}/${key} ${state}`).sort()).toEqual([
      'Box/a Placed',
      'Box/b Placed',
      'Box/c Placed',
      'Room/hall Ready',
    ]);
    expect(new Set(keys.get('b')).size).toBe(1);
    const gone = await service.reeve.operations.result(await service.reeve.raise(Room, 'hall', 'empty', undefined));
    expect(gone.outcome).toBe('success');
    expect((await service.reeve.read({ type: 'Box', key: 'a' })).gone).toBe(true);
  });
});
