import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployments } from '../../src/client/deployments.js';
import {
  call,
  delay,
  doNothing,
  eventCounter,
  parallel,
  repeat,
  retry,
  sequence,
  failAbnormal,
  type Description,
} from '../../src/components/index.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Daemon, files, processes } from '../entities/shop.js';
import { MemoryKeeper } from '../support/memory-keeper.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const keeper = new MemoryKeeper();
/** Until when the removal of files lasts. */
let held = Promise.resolve();
let service: TestService;
let deployments: Deployments;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/shop-workflows.ts',
    declarations: ['entities/shop.ts'],
    entities: [],
    resources: [
      implementResource(files, { copy: async () => ({ bytes: 1 }), remove: async () => (await held, {}) }),
      implementResource(processes, {
        start: async () => ({ pid: 1 }),
        alive: async () => true,
        stop: async () => ({}),
      }),
    ],
    records: keeper,
  });
  deployments = new Deployments({
    ...{ client: service.environment.client, taskQueue: DEFAULT_TASK_QUEUE, components: [Daemon] },
  });
});
afterAll(() => service.close());
beforeEach(() => {
  keeper.offered.length = 0;
  keeper.kept.length = 0;
  keeper.away = false;
});

/** Those that were kept last of a deployment, by path and incarnation. */
async function keptOf(name: string) {
  const deployment = await until(async () => {
    const last = keeper.ofKind('deployment').findLast((record) => record.name === name);
    expect(last).toMatchObject({ phase: 'ended' });
    return last!;
  });
  const components = new Map(
    keeper
      .ofKind('component')
      .filter(({ life }) => life === deployment.life)
      .map((record) => [record.incarnation, record]),
  );
  return { deployment, components: [...components.values()].sort((a, b) => a.incarnation - b.incarnation) };
}

function gate(): readonly [promise: Promise<void>, open: () => void] {
  let open!: () => void;
  return [new Promise<void>((resolve) => (open = resolve)), () => open()];
}

async function run(description: Description, name: string): Promise<void> {
  await deployments.deploy(description, name, { tenant: 'acme', requestId: `r-${name}` });
  await deployments.result(name);
}

/** How many events the runs of a workflow have, run by run. */
async function historyOf(id: string): Promise<readonly number[]> {
  const found: number[] = [];
  for await (const { historyLength } of service.environment.client.workflow.list({ query: `WorkflowId = "${id}"` })) {
    found.push(historyLength);
  }
  return found;
}

describe('what the store is told of a deployment (W1, S5.2)', () => {
  it('is each component with the times of its phases and its end, and all of it by its end', async () => {
    await run(sequence({ first: delay({ time: 20 }), second: doNothing({ time: 0 }) }), 'two');
    const { deployment, components } = await keptOf('two');
    expect(deployment).toMatchObject({
      origin: { component: 'Sequence', tenant: 'acme', request: 'r-two' },
      end: { type: 'normal' },
      endedAt: deployment.since,
    });
    expect(components.map(({ path, of, phase }) => [path, of, phase])).toEqual([
      ['', 'Sequence', 'ended'],
      ['first', 'Delay', 'ended'],
      ['second', 'DoNothing', 'ended'],
    ]);
    for (const { times, end } of components) {
      const { created, deployed, starting, up, ending, ended } = times;
      const inOrder = [created, deployed, starting, up, ending, ended] as number[];
      expect(inOrder.every((at) => at >= deployment.startedAt)).toBe(true);
      expect([...inOrder].sort((a, b) => a - b)).toEqual(inOrder);
      expect(end).toMatchObject({ type: 'normal' });
    }
  });

  it('has a row for each that came at the same path, and says how each ended', async () => {
    await run(retry({ retry: 2, action: failAbnormal({ message: 'no luck' }) }), 'thrice');
    const { deployment, components } = await keptOf('thrice');
    expect(deployment.end).toMatchObject({ type: 'abnormal', description: 'no luck' });
    expect(components.map(({ path, end }) => [path, end?.type])).toEqual([
      ['', 'abnormal'],
      ['running_0', 'abnormal'],
      ['running_1', 'abnormal'],
      ['running_2', 'abnormal'],
    ]);
    await run(repeat({ repeat: 3, action: doNothing({ time: 0 }) }), 'again');
    expect((await keptOf('again')).components.map(({ path }) => path)).toEqual(['', 'running', 'running', 'running']);
  });

  it('costs a short-lived tree of 1,000 leaves no event for each', async () => {
    const leaves = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`leaf${n}`, doNothing({ time: 0 })]));
    await run(parallel(leaves), 'wide');
    const { components } = await keptOf('wide');
    expect(components).toHaveLength(1_001);
    expect(components.every(({ phase }) => phase === 'ended')).toBe(true);
    const [events = Infinity, ...others] = await historyOf('deployment/wide');
    expect(others).toEqual([]);
    expect(events).toBeLessThan(20);
  });

  it('is kept also while it lasts, and in its next runs', async () => {
    const long = sequence({
      stays: parallel({
        all: repeat({ repeat: 400, action: call(files.remove, { file: 'x' }) }),
        waits: eventCounter({ count: 1 }),
      }),
    });
    await deployments.deploy(long, 'lasting');
    await until(async () => expect((await historyOf('deployment/lasting')).length).toBeGreaterThan(1));
    expect(keeper.ofKind('deployment').filter(({ name }) => name === 'lasting')).not.toEqual([]);
    await until(async () => {
      const tree = await deployments.explain('lasting');
      expect(tree.children[0]?.children[0]).toMatchObject({ name: 'all', phase: 'ended' });
    });
    await deployments.send('lasting', 'stays/waits', 1);
    const { deployment, components } = await keptOf('lasting');
    const waits = components.find(({ path }) => path === 'stays/waits');
    expect(waits?.times.up).toBeLessThan(waits!.times.ended!);
    expect(waits?.times.created).toBeGreaterThanOrEqual(deployment.startedAt);
    expect(components.filter(({ path }) => path === 'stays/all/running')).toHaveLength(400);
  });

  it('reaches the store later when that is away, and keeps the end waiting no longer than one try', async () => {
    keeper.away = true;
    await run(sequence({ only: doNothing({ time: 0 }) }), 'away');
    keeper.away = false;
    expect((await keptOf('away')).components).toHaveLength(2);
  });

  it('waits for the try that is under way when its run is long and the store was away (L7, record-outbox.3)', async () => {
    const calls = Array.from({ length: 400 }, (_, n) => [`call${n}`, call(files.remove, { file: 'x' })] as const);
    const long = parallel({ all: parallel(Object.fromEntries(calls)), waits: eventCounter({ count: 1 }) });
    const [removing, remove] = gate();
    const [trying, goOn] = gate();
    held = removing;
    keeper.away = true;
    keeper.refusals = 0;
    await deployments.deploy(long, 'cut-off');
    await until(async () => expect(keeper.refusals).toBeGreaterThan(0));
    keeper.gate = trying;
    keeper.waiting.length = 0;
    keeper.away = false;
    remove();
    await until(async () => {
      const [all] = (await deployments.explain('cut-off')).children;
      expect(all).toMatchObject({ name: 'all', phase: 'ended' });
    });
    await until(async () => expect(keeper.waiting).not.toEqual([]));
    // Its code comes to a wait, and answers.
    await deployments.send('cut-off', 'waits', 1);
    await until(async () => expect((await deployments.explain('cut-off')).phase).toBe('ended'));
    keeper.gate = undefined;
    goOn();
    expect(await deployments.result('cut-off')).toMatchObject({ type: 'normal' });
  });

  it('says of what has left the tree that it is detached, and tells of it as a deployment of its own (W4)', async () => {
    const leaving = parallel({ goes: Daemon({ commandLine: 'go', sfShouldDetach: true }), stays: eventCounter() });
    await deployments.deploy(leaving, 'left');
    await until(async () => {
      expect(keeper.offered.filter((each) => each.kind === 'component' && each.phase === 'detached')).toMatchObject([
        { path: 'goes', of: 'Daemon', times: { up: expect.any(Number), detached: expect.any(Number) } },
      ]);
    });
    const own = await until(async () => {
      const found = keeper.offered.find((each) => each.kind === 'deployment' && each.name.startsWith('left/'));
      expect(found).toMatchObject({ origin: { component: 'Parallel', detachedFrom: 'deployment/left' } });
      return found as Extract<typeof found, { kind: 'deployment' }>;
    });
    for (const name of ['left', own.name]) await deployments.terminate(name);
    await keptOf('left');
    expect((await keptOf(own.name)).components).toMatchObject([{ path: '', of: 'Daemon', phase: 'ended' }]);
  });
});
