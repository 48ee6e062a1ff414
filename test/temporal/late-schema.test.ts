import { afterAll, beforeAll, expect, it } from 'vitest';
import { Notebook } from '../entities/late-schema.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/late-schema-workflows.ts',
    declarations: ['entities/late-schema.ts'],
    entities: [Notebook],
    resources: [],
  });
});
afterAll(async () => service.close());

/* The SDK freezes what modules of declarations export, before an action has used it. */
it('an action uses a schema that stands beside the declarations, and that no declaration uses (S1.5)', async () => {
  const { reeve } = service;
  await reeve.operations.result(await reeve.create(Notebook, 'n', 'open'));
  const written = await reeve.operations.result(await reeve.raise(Notebook, 'n', 'write', { text: 'first' }));
  expect(written).toMatchObject({ outcome: 'success' });
  const { snapshot } = await reeve.read({ type: 'Notebook', key: 'n' });
  expect(snapshot.properties).toEqual({ notes: ['first'] });
});
