import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Rejected } from '../../src/protocol/errors.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';

const CALLERS = 500;

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [new Shelf().resource],
  });
});
afterAll(async () => service.close());

describe('500 callers at once on one entity', () => {
  it('are all answered, each with its own version, and nobody is turned away (S4.6)', async () => {
    await service.reeve.operations.result(await service.reeve.create(Box, 'hot', 'place', { label: 'x' }));
    const { snapshot } = await service.reeve.read({ type: 'Box', key: 'hot' });
    const raised = await Promise.all(
      Array.from({ length: CALLERS }, (_, index) => service.reeve.raise(Box, 'hot', 'relabel', { label: `${index}` })),
    );
    const versions = raised.map(({ answer }) => answer.status === 'accepted' && answer.outcome?.version);
    expect(versions).toEqual(raised.map((_, index) => snapshot.version + 1 + index));
    const after = (await service.reeve.read({ type: 'Box', key: 'hot' })).snapshot;
    expect(after).toMatchObject({ version: snapshot.version + CALLERS, properties: { label: `${CALLERS - 1}` } });
  });

  it('who create it: one does, the others get the declared rejection (S2.2, S4.6)', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: CALLERS }, () =>
        service.reeve.create(Box, 'contested', 'place', { label: 'x' }).then(
          ({ answer }) => answer.status,
          (thrown: unknown) => (thrown instanceof Rejected ? 'rejected' : String(thrown)),
        ),
      ),
    );
    const count = (status: string) => outcomes.filter((outcome) => outcome === status).length;
    expect(count('accepted')).toBe(1);
    // Some may come while an action runs: they wait for it, and are rejected then.
    expect(count('waiting') + count('rejected')).toBe(CALLERS - 1);
  });
});
