import { ApplicationFailure } from '@temporalio/activity';
import { nobodyAnswers, type FakeResource } from '../../src/simulation/index.js';
import { toErrorRecord } from '../../src/protocol/errors.js';
import type { ImplementedResource } from '../../src/temporal/resources.js';
import { runWorker } from '../../src/project/index.js';
import { controlPlaneProject } from '../../workers/project.js';
import { FakeCloud } from '../simulation/fake-cloud.js';

/* A worker of the reference control plane. Its resources are in memory, so that thousands of requests start no PostgreSQL. */
process.exitCode = await runWorker(await controlPlaneProject(), () => ({
  resources: new FakeCloud().resources.map(imitate),
  // It has no table, so every operation over partitions is refused: its target is unknown.
  distributed: { operations: [], targets: { placement: async () => undefined } },
}));

function imitate({ calls }: FakeResource): ImplementedResource {
  return Object.fromEntries(
    [...calls].map(([activity, { shape, perform }]) => [
      activity,
      async ({ input, idempotencyKey }: Parameters<ImplementedResource[string]>[0]) => {
        try {
          return {
            output: await perform(shape.input.parse(input), {
              idempotencyKey,
              attempt: 1,
              answerAt: nobodyAnswers,
              affinity: () => ({ worker: 'imitated' }),
            }),
            restarts: 0,
          };
        } catch (thrown) {
          const { code, message } = toErrorRecord(thrown);
          throw ApplicationFailure.nonRetryable(message, code);
        }
      },
    ]),
  );
}
