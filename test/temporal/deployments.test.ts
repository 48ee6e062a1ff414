import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Deployments } from '../../src/client/deployments.js';
import {
  call,
  delay,
  doNothing,
  eventCounter,
  eventSend,
  parallel,
  ref,
  repeat,
  sequence,
} from '../../src/components/index.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { DEFAULT_TASK_QUEUE } from '../../src/protocol/names.js';
import { implementResource } from '../../src/temporal/resources.js';
import { Application, Daemon, files, processes } from '../entities/shop.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** All that was done to the world, in order. */
const done: string[] = [];
/** The idempotency keys of all calls. */
const keys: string[] = [];
let ill = false;
let service: TestService;
let deployments: Deployments;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/shop-workflows.ts',
    declarations: ['entities/shop.ts'],
    entities: [],
    resources: [
      implementResource(files, {
        copy: async ({ from, to }, { idempotencyKey }) => {
          if (from === 'nowhere') throw new ResourceError('not_found', 'There is no such file.');
          keys.push(idempotencyKey);
          done.push(`copy ${from} ${to}`);
          return { bytes: 12 };
        },
        remove: async ({ file }) => {
          done.push(`remove ${file}`);
          return {};
        },
      }),
      implementResource(processes, {
        start: async ({ line }) => {
          done.push(`start ${line}`);
          return { pid: 7 };
        },
        alive: async () => !ill,
        stop: async ({ line }) => {
          done.push(`stop ${line}`);
          return {};
        },
      }),
    ],
  });
  deployments = new Deployments({
    client: service.environment.client,
    taskQueue: DEFAULT_TASK_QUEUE,
    components: [Application, Daemon],
  });
});
afterAll(() => service.close());
beforeEach(() => {
  done.length = 0;
  ill = false;
});

const shop = (name: string, time: number) =>
  Application({ file: `/${name}`, url: `http://${name}`, commandLine: `run ${name}`, time });
/** Lists what a whole run of a shop does. The next step begins while the daemon still stops. W-3 */
const whole = (name: string) => [
  `copy http://${name} /${name}`,
  `remove /${name}`,
  `start run ${name}`,
  `stop run ${name}`,
];
const phase = async (name: string, path: string) => {
  const find = (all: readonly Awaited<ReturnType<Deployments['explain']>>[]): string | undefined => {
    for (const each of all) {
      const found = each.path === path ? each.phase : find(each.children);
      if (found) return found;
    }
    return undefined;
  };
  return find([await deployments.explain(name)]);
};
const isUp = (name: string) => until(async () => expect(await phase(name, 'running/run/running')).toBe('up'));

describe('a deployment on its own (W1)', () => {
  it('runs its tree to the end, call by call, and says how it ended', async () => {
    await deployments.deploy(shop('orders', 300), 'orders');
    const end = await deployments.result('orders');
    expect(end).toMatchObject({ type: 'normal' });
    expect([...done].sort()).toEqual(whole('orders'));
    expect(await deployments.explain('orders')).toMatchObject({ kind: 'Application', phase: 'ended', end });
  });

  it('goes on after its worker was lost, and does nothing twice', async () => {
    await deployments.deploy(shop('lasting', 15_000), 'lasting');
    await isUp('lasting');
    await service.stopWorker();
    await service.startWorker();
    expect(await deployments.result('lasting')).toMatchObject({ type: 'normal' });
    expect([...done].sort()).toEqual(whole('lasting'));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('cleans up when it is ended, and takes the end that it was given', async () => {
    await deployments.deploy(shop('ended', 3_600_000), 'ended');
    await isUp('ended');
    expect((await deployments.list()).rows.map(({ name }) => name)).toContain('ended');
    await deployments.terminate('ended', { type: 'abnormal', description: 'the shop closes' });
    expect(await deployments.result('ended')).toMatchObject({ type: 'abnormal', description: 'the shop closes' });
    expect(done).toEqual(['copy http://ended /ended', 'start run ended', 'stop run ended']);
  });

  it('ends abnormally when a component is not well any more (W-5)', async () => {
    await deployments.deploy(shop('ill', 3_600_000), 'ill');
    await isUp('ill');
    ill = true;
    expect(await deployments.result('ill')).toMatchObject({ type: 'abnormal' });
    expect(done.at(-1)).toBe('stop run ill');
  });

  it("is drawn in Temporal's UI for whoever looks, as it is then (S4.8)", async () => {
    await deployments.deploy(shop('seen', 3_600_000), 'seen');
    await isUp('seen');
    const workflow = service.environment.client.workflow.getHandle('deployment/seen');
    const details = async () =>
      (await workflow.query<{ currentDetails?: string }>('__temporal_workflow_metadata')).currentDetails;
    await until(async () => expect(await details()).toMatch(/^```\nseen .*Application +up[^]*Daemon +up[^]*```$/));
    await deployments.terminate('seen');
    await deployments.result('seen');
    await until(async () => expect(await details()).toMatch(/Daemon +ended normal/));
  });

  it('tells why it has failed', async () => {
    await deployments.deploy(Application({ file: '/x', url: 'nowhere', commandLine: 'run', time: 1 }), 'failing');
    expect(await deployments.result('failing')).toMatchObject({
      type: 'abnormal',
      description: 'not_found: There is no such file.',
      component: 'running/copy',
    });
  });

  it('takes events from outside, from one component to the end of all (W2)', async () => {
    await deployments.deploy(parallel({ all: sequence({ counted: eventCounter({ count: 2 }) }) }), 'counting');
    await until(async () => expect(await phase('counting', 'all/counted')).toBe('up'));
    await deployments.send('counting', 'all/counted', { n: 1 });
    await deployments.send('counting', 'all/counted', { n: 2 });
    expect(await deployments.result('counting')).toMatchObject({ type: 'normal' });
  });

  it('takes attributes and ends of single components from outside, and goes on with them (W4, W-6)', async () => {
    await deployments.deploy(shop('changed', 3_600_000), 'changed');
    await isUp('changed');
    await deployments.set('changed', '', 'file', '/another');
    await deployments.terminate('changed', { path: 'running/run' });
    expect(await deployments.result('changed')).toMatchObject({ type: 'normal' });
    expect(done).toContain('remove /another');
    expect(done).not.toContain('remove /changed');
  });

  it('tells another deployment events by its absolute reference (W2)', async () => {
    await deployments.deploy(sequence({ counter: eventCounter({ count: 1 }) }), 'hearing');
    await until(async () => expect(await phase('hearing', 'counter')).toBe('up'));
    await deployments.deploy(
      sequence({ tell: eventSend({ event: 'hello', sendTo: [ref('/deployment/hearing/counter')] }) }),
      'telling',
    );
    expect(await deployments.result('telling')).toMatchObject({ type: 'normal' });
    expect(await deployments.result('hearing')).toMatchObject({ type: 'normal' });
  });

  it('goes on in new runs, however long it lasts', async () => {
    const steps = repeat({ repeat: 400, action: call(files.remove, { file: 'x' }) });
    await deployments.deploy(steps, 'long');
    expect(await deployments.result('long')).toMatchObject({ type: 'normal' });
    expect(done).toHaveLength(400);
    const runs: string[] = [];
    for await (const { runId } of service.environment.client.workflow.list({ query: `WorkflowId = "deployment/long"` }))
      runs.push(runId);
    expect(runs.length).toBeGreaterThan(1);
    expect(await deployments.find('long')).toMatchObject({ origin: { component: 'Repeat' }, life: runs.at(-1) });
  });

  it('is refused with all that is wrong with it, before anything starts', async () => {
    const wrong = sequence({ a: delay({ time: 'soon' as never }), b: doNothing({ colour: 'red' } as never) });
    await expect(deployments.deploy(wrong, 'wrong')).rejects.toThrow(/a\.time[^]*b\.colour/);
    await expect(deployments.deploy(shop('x', 1), 'a/b')).rejects.toMatchObject({ code: 'invalid_name' });
    await expect(deployments.tree('wrong')).rejects.toMatchObject({ code: 'absent' });
    await deployments.deploy(eventCounter({ count: 1 }), 'taken');
    await expect(deployments.deploy(shop('y', 1), 'taken')).rejects.toMatchObject({ code: 'exists' });
    await deployments.terminate('taken');
    expect(await deployments.result('taken')).toMatchObject({ type: 'normal' });
    await expect(deployments.terminate('nowhere')).rejects.toMatchObject({ code: 'absent' });
  });

  it('answers whoever ends it later with the record of its end, and is gone for all else (W-1)', async () => {
    await deployments.deploy(shop('over', 3_600_000), 'over');
    await isUp('over');
    await deployments.terminate('over', { path: 'running/run', type: 'tired', description: 'enough' });
    const end = await until(async () => {
      const again = await deployments.terminate('over', { path: 'running/run' });
      expect(again).toMatchObject({ type: 'tired', description: 'enough' });
      return again;
    });
    expect(end).toMatchObject({ component: 'running/run' });
    await deployments.result('over');
    expect(await deployments.terminate('over', { type: 'abnormal' })).toEqual(end);
    for (const told of [
      () => deployments.send('over', '', 1),
      () => deployments.set('over', '', 'file', '/x'),
      () => deployments.ping('over'),
      () => deployments.terminate('over', { path: 'never/there' }),
    ]) {
      await expect(told()).rejects.toMatchObject({ code: 'gone' });
    }
  });

  it('is deployed once by the same request, and hears the same request once (S2.5)', async () => {
    const counter = () => sequence({ counter: eventCounter({ count: 3, allDifferent: false }) });
    expect(await deployments.deploy(counter(), 'once', { requestId: 'r1' })).toEqual({ repeated: false });
    expect(await deployments.deploy(counter(), 'once', { requestId: 'r1' })).toEqual({ repeated: true });
    await expect(deployments.deploy(eventCounter(), 'once', { requestId: 'r1' })).rejects.toMatchObject({
      code: 'request_conflict',
    });
    await until(async () => expect(await phase('once', 'counter')).toBe('up'));
    for (const requestId of ['e1', 'e1', 'e2', 'e1']) await deployments.send('once', 'counter', 'x', { requestId });
    await deployments.ping('once');
    expect(await phase('once', 'counter')).toBe('up');
    await deployments.send('once', 'counter', 'x', { requestId: 'e3' });
    expect(await deployments.result('once')).toMatchObject({ type: 'normal' });
    expect(await deployments.deploy(counter(), 'once', { requestId: 'r1' })).toEqual({ repeated: true });
    expect(await deployments.deploy(counter(), 'once')).toEqual({ repeated: false });
    await deployments.terminate('once');
  });

  it('is found by its component, phase and tenant (S5.2, S6.5)', async () => {
    await deployments.deploy(shop('found', 3_600_000), 'found', { tenant: 'acme' });
    await until(async () => {
      const { rows } = await deployments.list({ rows: 10 }, ['ReeveComponent = "Application"', 'ReeveTenant = "acme"']);
      expect(rows).toMatchObject([{ name: 'found', component: 'Application', phase: 'up', tenant: 'acme' }]);
    });
    expect(await deployments.find('found')).toMatchObject({
      status: 'running',
      origin: { component: 'Application', tenant: 'acme' },
    });
    await deployments.terminate('found');
    await deployments.result('found');
    expect(await deployments.find('found')).toMatchObject({ status: 'ended', origin: { tenant: 'acme' } });
  });

  it('tells nothing to what belongs to another tenant (S6.5, permission.2)', async () => {
    const hears = () => sequence({ counter: eventCounter({ count: 1 }) });
    const tells = (to: string) =>
      sequence({ tell: eventSend({ event: 'hello', sendTo: [ref(`/deployment/${to}/counter`)] }) });
    await deployments.deploy(hears(), 'of-acme', { tenant: 'acme' });
    await deployments.deploy(hears(), 'of-rival', { tenant: 'rival' });
    await until(async () => expect(await phase('of-rival', 'counter')).toBe('up'));
    await until(async () => expect(await phase('of-acme', 'counter')).toBe('up'));
    await deployments.deploy(tells('of-rival'), 'trespasser', { tenant: 'acme' });
    await deployments.result('trespasser');
    await deployments.deploy(tells('of-acme'), 'neighbour', { tenant: 'acme' });
    await deployments.result('neighbour');
    expect(await deployments.result('of-acme')).toMatchObject({ type: 'normal' });
    expect(await phase('of-rival', 'counter')).toBe('up');
    await deployments.terminate('of-rival');
  });

  it('leaves what it lets go to its tenant (W4, S6.5)', async () => {
    const leaving = parallel({ goes: Daemon({ commandLine: 'go', sfShouldDetach: true }), stays: eventCounter() });
    await deployments.deploy(leaving, 'leaving', { tenant: 'acme' });
    await until(async () => expect(await phase('leaving', 'stays')).toBe('up'));
    const { rows } = await until(async () => {
      const found = await deployments.list({ rows: 10 }, ['WorkflowId STARTS_WITH "deployment/leaving/"']);
      expect(found.rows).toHaveLength(1);
      return found;
    });
    expect(await deployments.find(rows[0]!.name)).toMatchObject({
      origin: { component: 'Parallel', tenant: 'acme', detachedFrom: 'deployment/leaving' },
    });
    for (const { name } of [...rows, { name: 'leaving' }]) await deployments.terminate(name);
  });
});
