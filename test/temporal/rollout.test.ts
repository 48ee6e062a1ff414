import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WAKE_SIGNAL } from '../../src/protocol/names.js';
import { BuildRouting, Rollout, readStatus, type CountActions, type RolloutEnd } from '../../src/rollout/index.js';
import { Box, Room } from '../entities/box.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const SHARED = 'reeve';
const shelf = new Shelf();
let service: TestService;
let routing: BuildRouting;

beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/workflows.ts',
    declarations: ['entities/box.ts'],
    entities: [Box, Room],
    resources: [shelf.resource],
    build: 'old',
  });
  routing = new BuildRouting(service.environment.client, SHARED);
});
afterAll(async () => service.close());

const read = async (key: string) => (await service.reeve.read({ type: 'Box', key })).snapshot;
const buildOf = async (id: string) => {
  const { raw } = await service.environment.client.workflow.getHandle(id).describe();
  return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId;
};

async function roles() {
  const { builds } = await readStatus(service.environment.client, routing, SHARED);
  return Object.fromEntries(builds.map((each) => [each.build, each]));
}

/** The changes that were noted, as the audit trail gets them. */
const told: (readonly [build: string, change: string, reason: string | undefined])[] = [];

async function rollOut(build: string, countActions?: CountActions): Promise<RolloutEnd> {
  const { client } = service.environment;
  const options = { client, routing, taskQueue: SHARED, build, perSecond: 100, countActions, report: () => undefined };
  const noted = async (change: string, reason?: string) => void told.push([build, change, reason]);
  return new Rollout({ ...options, by: 'ada@ops-1', noted }).run([1, 100], 0, true);
}

async function relabel(key: string, label: string): Promise<string> {
  const taken = await service.reeve.raise(Box, key, 'relabel', { label });
  return (await service.reeve.operations.result(taken)).outcome;
}

describe('a rollout (Q2, Q1)', () => {
  it('lets all go over to a build that could replay none of their histories, and an action ends where it began', async () => {
    await until(async () => expect((await routing.read())?.builds).toHaveLength(1));
    expect(await rollOut('old')).toEqual({ kind: 'done', left: 0 });
    const furnished = await service.reeve.create(Room, 'room', 'furnish', { boxes: ['one', 'two'] });
    expect((await service.reeve.operations.result(furnished)).outcome).toBe('success');
    expect(await relabel('one', 'by the old build')).toBe('success');

    const slow = shelf.hold('slow');
    const placing = await service.reeve.create(Box, 'slow', 'place', { label: 'slow' });
    await until(async () => expect(shelf.keys.get('slow')).toHaveLength(1));
    await service.addBuild('entities/changed-workflows.ts', 'new');
    await until(async () => expect((await routing.read())?.builds).toHaveLength(2));
    expect(await roles()).toMatchObject({ old: { role: 'current' }, new: { role: 'new', running: 0 } });
    const rolling = rollOut('new');
    await until(async () => {
      for (const id of ['Room/room', 'Box/one', 'Box/two']) expect(await buildOf(id)).toBe('new');
    });
    expect(await buildOf('Box/slow')).toBe('old');
    slow.open();
    expect((await service.reeve.operations.result(placing)).outcome).toBe('success');
    expect(await rolling).toEqual({ kind: 'done', left: 0 });
    expect(await buildOf('Box/slow')).toBe('new');

    expect(await relabel('one', 'by the new build')).toBe('success');
    expect((await read('one')).properties).toMatchObject({ label: 'by the new build', place: 'one-moved'.length });
    expect((await service.reeve.read({ type: 'Room', key: 'room' })).snapshot.state).toBe('Ready');
    expect(await roles()).toMatchObject({ old: { role: 'old', running: 0 }, new: { role: 'current', served: true } });
  });

  it('rolls a build back whose actions fail, and what had moved continues', async () => {
    const stop = await service.addBuild('entities/failing-workflows.ts', 'failing');
    await until(async () => expect((await routing.read())?.builds).toHaveLength(3));
    const ended = { ended: 0, failed: 0 };
    const count: CountActions = async (_, takenOver) => {
      // All of it in one look: a rollout that has moved everything looks once more, and no longer waits.
      while (takenOver.has('Box/one') && ended.failed < 3) {
        ended.ended++;
        if ((await relabel('one', 'never seen')) === 'failed') ended.failed++;
      }
      return [{ action: 'Box.relabel', here: { ...ended }, elsewhere: { ended: 100, failed: 0 } }];
    };
    const end = await rollOut('failing', count);
    expect(end).toMatchObject({
      kind: 'rolled_back',
      left: 0,
      reason: expect.stringMatching(/^3 of 3 actions have failed/),
    });
    expect(ended.failed).toBe(3);
    const { current, ramp, builds } = (await routing.read())!;
    expect({ current, ramp }).toEqual({ current: 'new', ramp: undefined });
    expect(builds.find(({ build }) => build === 'failing')?.note).toMatchObject({
      ...{ state: 'rolled_back', previous: 'new', by: 'ada@ops-1' },
    });
    expect(told.filter(([build]) => build === 'failing')).toEqual([
      ['failing', 'rollout', undefined],
      ['failing', 'rollout undo', (end as { reason: string }).reason],
    ]);
    expect(await buildOf('Box/one')).toBe('new');
    expect(await relabel('one', 'it goes on')).toBe('success');
    await stop();
  });

  it('says what is wrong with a build that nobody serves, and with two at once', async () => {
    await expect(rollOut('nobody')).rejects.toThrow(/No worker has ever served the build 'nobody'.+old/);
    await routing.ramp('old', 10);
    await expect(rollOut('failing')).rejects.toThrow(/'old' is being rolled out, and has 10 %/);
    await routing.endRamp();
  });
});

describe('an entity that is pinned to a build without workers (S5.4)', () => {
  it('is explained with its build, and goes on when workers of it come', async () => {
    const { client } = service.environment;
    const stop = await service.addBuild('entities/workflows.ts', 'gone');
    await until(async () => expect((await routing.read())?.builds.map(({ build }) => build)).toContain('gone'));
    await routing.ramp('gone', 100);
    const taken = await service.reeve.create(Box, 'pinned', 'place', { label: 'x' });
    await service.reeve.operations.result(taken);
    await routing.endRamp();
    await stop();
    await client.workflow.getHandle('Box/pinned').signal('look');
    await until(async () => {
      const { stuck } = await service.reeve.explain({ type: 'Box', key: 'pinned' });
      expect(stuck).toMatchObject([
        { who: 'Box/pinned', message: "it is pinned to the build 'gone', and no worker serves that" },
      ]);
    });
    await service.addBuild('entities/workflows.ts', 'gone');
    await until(async () => expect((await read('pinned')).properties.place).toBe('pinned'.length * 10));
  });
});

describe('a wake (Q1, S4.1a)', () => {
  it('costs an entity at rest a task and a new run, and changes nothing of it', async () => {
    const handle = service.environment.client.workflow.getHandle('Box/two');
    const [before, { runId }] = [await read('two'), await handle.describe()];
    const { events: past } = await handle.fetchHistory();
    await handle.signal(WAKE_SIGNAL);
    await until(async () => expect((await handle.describe()).runId).not.toBe(runId));
    expect(await read('two')).toEqual(before);
    const run = service.environment.client.workflow.getHandle('Box/two', runId);
    const { events } = await run.fetchHistory();
    // The signal, its task, and the end of the run.
    expect(events!.length - past!.length).toBe(5);
  });
});
