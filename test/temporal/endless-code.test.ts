import { afterAll, beforeAll, expect, it } from 'vitest';
import { Box, Room } from '../entities/box.js';
import { Spinner } from '../entities/spinner.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/spinner-workflows.ts',
    declarations: ['entities/box.ts', 'entities/spinner.ts'],
    entities: [Box, Room, Spinner],
    resources: [new Shelf().resource],
  });
});
afterAll(() => service.close());

it.each(['loop', 'call-microtasks'])(
  'an action whose code does not end (%s) fails for good, and its worker serves the others on (S1.5a, S4.1)',
  async (kind) => {
    const { reeve } = service;
    await reeve.operations.result(await reeve.create(Box, `beside-${kind}`, 'place', { label: 'x' }));
    await reeve.operations.result(await reeve.create(Spinner, kind, 'create'));
    const { outcome, errors } = await reeve.operations.result(await reeve.raise(Spinner, kind, 'spin', { kind }));
    expect(outcome).toBe('failed');
    expect(errors[0]).toMatchObject({ code: 'endless_code', message: expect.stringContaining("'turn' did not end") });
    const { snapshot } = await reeve.read({ type: 'Spinner', key: kind });
    expect(snapshot).toMatchObject({ state: 'Broken', properties: { turns: 0 } });
    expect((await reeve.read({ type: 'Box', key: `beside-${kind}` })).snapshot.state).toBe('Placed');
  },
);

it("a workflow of the project's own whose code does not end is set apart, and its worker serves the others on (S4.1)", async () => {
  const { client, reeve } = service;
  const handle = await client.workflow.start('endless', { workflowId: 'endless', taskQueue: 'reeve' });
  await until(async () => {
    const { pendingWorkflowTask } = (await handle.describe()).raw;
    expect(pendingWorkflowTask?.attempt).toBeGreaterThan(2);
  });
  const placed = await reeve.operations.result(await reeve.create(Box, 'beside-own', 'place', { label: 'x' }));
  expect(placed.outcome).toBe('success');
  await handle.terminate();
});

it('an action that leaves a promise which fails goes on (S1.5a)', async () => {
  const { reeve } = service;
  await reeve.operations.result(await reeve.create(Spinner, 'dangling', 'create'));
  const { outcome } = await reeve.operations.result(
    await reeve.raise(Spinner, 'dangling', 'spin', { kind: 'dangling' }),
  );
  expect(outcome).toBe('success');
  const history = await service.client.workflow.getHandle('Spinner/dangling').fetchHistory();
  expect(history.events!.filter((event) => event.workflowTaskFailedEventAttributes)).toEqual([]);
});

it('an action that changes what all entities share fails, and what it assigns to its own objects stays (S1.5a, frozen-built-ins.1)', async () => {
  const { reeve } = service;
  await reeve.operations.result(await reeve.create(Spinner, 'poison', 'create'));
  const poisoned = await reeve.operations.result(await reeve.raise(Spinner, 'poison', 'spin', { kind: 'poison' }));
  expect(poisoned).toMatchObject({
    outcome: 'failed',
    errors: [{ code: 'defect', message: expect.stringContaining('not extensible') }],
  });
  const own = await reeve.operations.result(await reeve.raise(Spinner, 'poison', 'spin', { kind: 'own' }));
  expect(own).toMatchObject({ outcome: 'success', errors: [] });
});

it('what an action assigns to built-ins that are not frozen is undone before other code runs (S1.5a, frozen-built-ins.2)', async () => {
  const { reeve } = service;
  for (const kind of ['slow to freeze', 'look']) {
    await reeve.operations.result(await reeve.create(Spinner, kind, 'create'));
    const { outcome, errors } = await reeve.operations.result(await reeve.raise(Spinner, kind, 'spin', { kind }));
    expect({ outcome, errors }).toEqual({ outcome: 'success', errors: [] });
  }
});
