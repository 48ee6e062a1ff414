import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Kiln, Pottery } from '../entities/kiln.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    alone: true,
    workflows: 'entities/pottery-workflows.ts',
    declarations: ['entities/bank.ts', 'entities/box.ts', 'entities/kiln.ts'],
    entities: [Kiln, Pottery],
    resources: [new Shelf().resource],
  });
});
afterAll(async () => service.close());

interface Finding {
  readonly about: string;
  readonly status: string;
  readonly says: string;
  readonly remedy?: string;
}

function doctor(...args: readonly string[]): Promise<{ readonly code: unknown; readonly stdout: string }> {
  const services = { TEMPORAL_ADDRESS: service.environment.address, REEVE_TASK_QUEUE: 'reeve' };
  const options = { env: { ...process.env, ...services, NO_COLOR: '1' } };
  return new Promise((done) => {
    execFile(resolve('node_modules/.bin/reeve'), ['doctor', ...args], options, (error, stdout) =>
      done({ code: error?.code ?? 0, stdout }),
    );
  });
}

/** Gives the findings about workers, and about what needs a person. There is no store. */
async function found(): Promise<readonly Finding[]> {
  const { items } = JSON.parse((await doctor('--json')).stdout) as { readonly items: readonly Finding[] };
  return items.filter(({ about }) => about === 'attention' || about === 'worker');
}

/** A worker is known by what it asks for: one that has just ended looks like one that waits. */
const ASKED =
  /^last polled the task queue 'reeve' (less than 1|\d+) (s|min) ago; a worker that stops is still listed for 90 s$/;
const WORKER = { about: 'worker', status: 'ok', says: expect.stringMatching(ASKED) };

describe('reeve doctor', () => {
  it('names the workflows whose tasks fail again and again, why, and what to do (S5.4)', async () => {
    expect(await found()).toEqual([
      WORKER,
      { about: 'attention', status: 'skipped', says: expect.stringContaining('store could not be queried') },
    ]);

    await service.reeve.create(Kiln, 'only', 'fire');
    const unknownType = {
      about: 'attention',
      status: 'problem',
      says: expect.stringMatching(
        /^Kiln: its code fails\. Kiln\/only: its workflow task keeps failing: A worker of .* has no entity type 'Kiln'\. /,
      ),
      remedy: expect.stringMatching(
        /^No worker of the task queue 'reeve' that took it has the type 'Kiln': start one .* Run: reeve explain Kiln\/only$/,
      ),
    };
    await until(async () => expect(await found()).toEqual([WORKER, unknownType]));
    const forPeople = await doctor();
    expect(forPeople.code).toBe(1);
    expect(forPeople.stdout).toMatch(/^✖ attention +Kiln: .*\n +No worker of the task queue 'reeve' that /m);

    // More of the same are one finding, with the first of them.
    for (let kiln = 1; kiln <= 6; kiln++) await service.reeve.create(Kiln, `kiln-${kiln}`, 'fire');
    const many = { about: 'attention', status: 'problem', says: expect.stringMatching(/^Kiln: .* and 2 more: /) };
    await until(async () => expect(await found()).toMatchObject([WORKER, many]), 60_000);

    await service.replaceWorker('entities/explain-workflows.ts');
    await until(async () => expect((await found()).at(1)).toMatchObject({ status: 'skipped' }));
  }, 240_000);
});
