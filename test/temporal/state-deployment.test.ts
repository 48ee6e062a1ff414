import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ResourceError } from '../../src/protocol/errors.js';
import { implementResource } from '../../src/temporal/resources.js';
import { processes } from '../entities/shop.js';
import { Station } from '../entities/station.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** All that was done to the world, in order. */
const done: string[] = [];
const ill = new Set<string>();
/** Goes on with the stops that are held back. */
const held: (() => void)[] = [];
let holds = false;
const release = () => {
  holds = false;
  for (const goOn of held.splice(0)) goOn();
};
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/station-workflows.ts',
    declarations: ['entities/shop.ts', 'entities/station.ts'],
    entities: [Station],
    resources: [
      implementResource(processes, {
        start: async ({ line }) => {
          if (line === 'broken') throw new ResourceError('no_such_program', 'There is no such program.');
          done.push(`start ${line}`);
          return { pid: 7 };
        },
        alive: async ({ line }) => !ill.has(line),
        stop: async ({ line }) => {
          if (holds) await new Promise<void>((resolve) => held.push(resolve));
          done.push(`stop ${line}`);
          return {};
        },
      }),
    ],
  });
});
afterAll(() => service.close());
afterEach(release);
beforeEach(() => {
  done.length = 0;
  ill.clear();
});

const read = async (key: string) => (await service.reeve.read({ type: 'Station', key })).snapshot;
const open = (key: string, lines: string[]) => service.reeve.create(Station, key, 'open', { lines });
const deploymentsOf = async (key: string) => (await read(key)).deployments ?? [];

describe('what a state deploys, on Temporal (W1)', () => {
  it('is up when the operation has settled, serves events meanwhile, and has ended before the next action runs', async () => {
    const opened = await open('a', ['web', 'mail']);
    await service.reeve.operations.result(opened);
    expect([...done].sort()).toEqual(['start mail', 'start web']);
    const [deployment] = await deploymentsOf('a');
    expect(deployment).toMatchObject({ name: 'processes', phase: 'up' });
    const workflow = service.environment.client.workflow.getHandle(deployment!.id);
    expect((await workflow.describe()).status.name).toBe('RUNNING');
    await service.reeve.raise(Station, 'a', 'visit');
    holds = true;
    await service.reeve.raise(Station, 'a', 'close');
    await until(async () => expect(held).toHaveLength(2));
    expect(await read('a')).toMatchObject({ state: 'Closing', deployments: [{ phase: 'ending' }] });
    release();
    await until(async () => expect(await read('a')).toMatchObject({ state: 'Off', properties: { visits: 1 } }));
    expect([...done].slice(2).sort()).toEqual(['stop mail', 'stop web']);
    // It has told its end before Temporal has ended it.
    await until(async () => expect((await workflow.describe()).status.name).toBe('COMPLETED'));
  });

  it('goes on after its worker was lost, and is started once', async () => {
    await service.reeve.operations.result(await open('b', ['web']));
    await service.stopWorker();
    await service.startWorker();
    await service.reeve.raise(Station, 'b', 'guard');
    await until(async () => expect(await deploymentsOf('b')).toMatchObject([{ name: 'guard', phase: 'up' }]));
    expect(done).toEqual(['start web', 'stop web', 'start guard of b']);
  });

  it('raises its event when it ends by itself, and as lost when it was ended by hand', async () => {
    await service.reeve.operations.result(await open('c', ['web']));
    await service.reeve.operations.result(await open('d', ['mail']));
    ill.add('web');
    await until(async () =>
      expect(await read('c')).toMatchObject({ state: 'Broken', properties: { ends: [{ type: 'abnormal' }] } }),
    );
    const [deployment] = await deploymentsOf('d');
    await service.environment.client.workflow.getHandle(deployment!.id).terminate('by hand');
    await until(async () =>
      expect(await read('d')).toMatchObject({ state: 'Broken', properties: { ends: [{ type: 'lost' }] } }),
    );
  });

  it('that fails in the middle of its start ends the operation with the reason', async () => {
    const opened = await open('e', ['web', 'broken']);
    const result = await service.reeve.operations.result(opened);
    expect(result.outcome).toBe('failed');
    expect(JSON.stringify((await read('e')).properties.ends)).toContain('There is no such program.');
    // Anything that has begun to start is ended, too.
    expect([...done].sort()).toEqual(['start web', 'stop broken', 'stop web']);
  });

  it('ends with its entity, and by itself when that is gone without a word', async () => {
    await service.reeve.operations.result(await open('f', ['web']));
    await service.reeve.raise(Station, 'f', 'remove');
    await until(async () => expect(done).toEqual(['start web', 'stop web']));
    const handle = service.environment.client.workflow.getHandle('Station/f');
    await until(async () => expect((await handle.describe()).status.name).toBe('COMPLETED'));
  });
});
