import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuildRouting, Rollout, type CountActions, type RolloutEnd } from '../../src/rollout/index.js';
import { FirstSubscriber, Subscriber } from '../entities/subscriber.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

const SHARED = 'reeve';
const ANN = { type: 'Subscriber', key: 'ann' } as const;
/** The newer declaration, as if its last migration led nowhere back. */
const oneWay = { ...Subscriber, migrations: { ...Subscriber.migrations, 3: () => ({}) } };
let service: TestService;
let routing: BuildRouting;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/first-subscriber-workflows.ts',
    declarations: ['entities/subscriber.ts'],
    entities: [FirstSubscriber],
    resources: [],
    build: 'first',
  });
  routing = new BuildRouting(service.environment.client, SHARED);
  await known('first');
});
afterAll(async () => service.close());

const known = (build: string) =>
  until(async () => expect((await routing.read())?.builds.map((each) => each.build)).toContain(build));
const rollout = (build: string, more: { noRollback?: boolean; countActions?: CountActions } = {}) => {
  const { client } = service.environment;
  return new Rollout({
    ...{ client, routing, taskQueue: SHARED, build, perSecond: 100, report: () => undefined },
    ...more,
  });
};
const rollOut = (build: string, more?: Parameters<typeof rollout>[1]): Promise<RolloutEnd> =>
  rollout(build, more).run([100], 0, true);
const read = async () => (await service.reeve.read(ANN)).snapshot;
const raise = async (event: string, params: object, requestId: string) => {
  const taken = await service.reeve.raiseAny(FirstSubscriber, ANN.key, event, { params, requestId });
  expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
  return taken.answer;
};
const buildOf = async () => {
  const { raw } = await service.environment.client.workflow.getHandle('Subscriber/ann').describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
};
/** The first three actions of the new build fail. */
const failing: CountActions = async (_, takenOver) => {
  const three = takenOver.has('Subscriber/ann') ? 3 : 0;
  return [{ action: 'Subscriber.pay', here: { ended: three, failed: three }, elsewhere: { ended: 100, failed: 0 } }];
};

describe('a build that has migrated entities (Q2, rollout.4)', () => {
  it('is rolled back by itself, and they continue with what the build before it reads', async () => {
    expect(await rollOut('first')).toEqual({ kind: 'done', left: 0 });
    await expect(rollout('first').undo('an operator asked for it')).rejects.toThrow(
      /^There is no build before 'first' to roll back to: .+ there are none\./,
    );
    expect((await routing.read())?.current).toBe('first');
    const taken = await service.reeve.create(FirstSubscriber, ANN.key, 'subscribe', { name: 'Ann' });
    await service.reeve.operations.result(taken);
    await raise('pay', { months: 3 }, 'first-payment');

    const stop = await service.addBuild('entities/subscriber-workflows.ts', 'next', [Subscriber]);
    await known('next');
    expect(await rollOut('next')).toEqual({ kind: 'done', left: 0 });
    await until(async () => expect(await read()).toMatchObject({ schema: 3, state: 'Active' }));
    await raise('pay', { months: 2 }, 'on-the-new-build');

    expect(await rollout('next').undo('an operator asked for it')).toMatchObject({ kind: 'rolled_back', left: 0 });
    await until(async () => expect(await buildOf()).toBe('first'));
    expect(await read()).toMatchObject({ schema: 1, state: 'Paying', properties: { name: 'Ann', months: 5 } });
    expect(await raise('pay', { months: 2 }, 'on-the-new-build')).toMatchObject({ repeated: true });
    await raise('pay', { months: 1 }, 'after-it');
    expect((await read()).properties).toMatchObject({ months: 6 });
    await stop();
  });

  it('does not begin where it could not be rolled back; begun on purpose, it is stopped where it is', async () => {
    await service.addBuild('entities/subscriber-workflows.ts', 'one way', [oneWay]);
    await known('one way');
    await expect(rollOut('one way')).rejects.toThrow(
      /^'one way' could not be rolled back: 'one way' brings Subscriber to schema 3, and 'first' reads schema 1\. Give .+--no-rollback/,
    );
    expect((await routing.read())!.ramp).toBeUndefined();
    expect(await buildOf()).toBe('first');

    const end = await rollOut('one way', { noRollback: true, countActions: failing });
    expect(end).toMatchObject({ kind: 'stopped', reason: expect.stringMatching(/^3 of 3 actions have failed/) });
    expect(await buildOf()).toBe('one way');
    await expect(rollout('one way').undo('an operator asked for it')).rejects.toThrow(
      /^'one way' was rolled out without a rollback/,
    );
    await expect(rollOut('first')).rejects.toThrow(/^'first' cannot take over the running entities: 'one way' brings/);

    // The mended build takes over what was stopped.
    await service.addBuild('entities/subscriber-workflows.ts', 'mended', [Subscriber]);
    await known('mended');
    expect(await rollOut('mended')).toEqual({ kind: 'done', left: 0 });
    await until(async () => expect(await buildOf()).toBe('mended'));
    await raise('pay', { months: 1 }, 'on-the-mended-build');
    expect(await read()).toMatchObject({ schema: 3, state: 'Active', properties: { credits: 70 } });
  });
});
