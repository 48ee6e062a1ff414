import { MemoryLedger } from 'reeve/distributed';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { placement, validation } from '../../examples/validation/jobs.js';
import { Executor } from '../../src/temporal/distributed/executor.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let executors: readonly Executor[] = [];
let running: Promise<unknown>;
const said = vi.spyOn(console, 'log').mockReturnValue();

beforeAll(async () => {
  const operations = [validation(fileURLToPath(new URL('../../examples/validation/data', import.meta.url)))];
  service = await startTestService({
    workflows: '../examples/validation/workflows.ts',
    declarations: ['../examples/validation/validation.ts'],
    ...{ entities: [], resources: [], distributed: { operations, targets: { placement } } },
  });
  const { environment, namespace } = service;
  executors = ['east', 'west'].map(
    (place) =>
      new Executor({
        ...{ connection: environment.nativeConnection, clientConnection: environment.connection, namespace },
        ...{ place, operations, ledger: new MemoryLedger() },
      }),
  );
  running = Promise.all(executors.map((executor) => executor.run()));
});
afterAll(async () => {
  said.mockRestore();
  for (const executor of executors) executor.shutdown();
  await running;
  await service?.close();
});

async function validate(column: 'email' | 'country') {
  const { distributed } = service.reeve;
  return distributed.result(await distributed.start('validate', 'customers', { column }));
}

describe('examples/validation', () => {
  it('succeeds when all rows of all partitions are valid', async () => {
    expect(await validate('country')).toMatchObject({ outcome: 'succeeded', jobs: { all: 4, succeeded: 4 } });
  });

  it('fails with the row that is not valid, after all partitions were validated', async () => {
    const reading = await validate('email');
    expect(reading).toMatchObject({ outcome: 'failed', jobs: { all: 4, succeeded: 3, failed: 1 } });
    expect(JSON.stringify(reading)).toContain(`row 2: 'jan.example.com' is no email`);
  });
});
