import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TickQuestion } from '../../src/kernel/index.js';
import { replayHistories } from '../../src/temporal/histories.js';
import { Bell } from '../entities/bell.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** The computation of the calendar, as one version of Node or another has it. */
const outside = vi.hoisted(() => ({
  asked: [] as TickQuestion[],
  answer: (after: number): number => after,
}));
vi.mock('../../src/definition/calendar/next-tick.js', () => ({
  nextTick: (calendar: { cron: string; timeZone: string }, after: number) => {
    outside.asked.push({ ...calendar, after });
    return outside.answer(after);
  },
}));

const HOUR = 3_600_000;
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/bell-workflows.ts',
    declarations: ['entities/bell.ts'],
    entities: [Bell],
    resources: [],
  });
});
afterAll(() => service.close());
beforeEach(() => {
  outside.asked.length = 0;
  outside.answer = (after) => after + 5 * HOUR;
});

const read = async (key: string) => (await service.reeve.read({ type: 'Bell', key })).snapshot;
const tickOf = async (key: string) => (await read(key)).calendar?.['morning'];
const histories = async (key: string) => {
  const handle = service.client.workflow.getHandle(`Bell/${key}`);
  return [{ workflowId: `Bell/${key}`, history: await handle.fetchHistory() }];
};

describe('a timer by calendar, on a real service', () => {
  it('is decided once, outside of the workflow: a replay elsewhere takes the tick that was recorded (S4.5, calendar.1)', async () => {
    await service.reeve.operations.result(await service.reeve.create(Bell, 'replayed', 'hang'));
    await until(async () => expect(await tickOf('replayed')).toMatchObject({ at: expect.any(Number) as number }));
    const { bornAt, calendar } = await read('replayed');
    expect(outside.asked).toEqual([{ cron: '0 3 * * *', timeZone: 'Europe/Berlin', after: bornAt }]);
    const tick = { at: bornAt + 5 * HOUR, cron: '0 3 * * *', timeZone: 'Europe/Berlin' };
    expect(calendar).toEqual({ morning: tick });

    // Another version of Node, which would answer otherwise.
    await service.stopWorker();
    outside.answer = (after) => after + 4 * HOUR;
    await service.startWorker();
    expect(await tickOf('replayed')).toEqual(tick);
    await service.reeve.operations.result(await service.reeve.raise(Bell, 'replayed', 'knock'));
    expect(await tickOf('replayed')).toEqual(tick);
    expect(outside.asked).toHaveLength(1);
    for await (const { error } of replayHistories(service.workflowBundle, await histories('replayed')))
      expect(error).toBeUndefined();
  });

  it('is kept in the next run, and over a state in which it cannot tick (S4.5, calendar.1, calendar.3)', async () => {
    await service.reeve.create(Bell, 'kept', 'hang');
    await until(async () => expect(await tickOf('kept')).toMatchObject({ at: expect.any(Number) as number }));
    const tick = await tickOf('kept');
    await service.reeve.operations.result(await service.reeve.raise(Bell, 'kept', 'muffle'));
    expect(await tickOf('kept')).toEqual(tick);
    const runs = async () => (await service.client.workflow.getHandle('Bell/kept').describe()).runId;
    const first = await runs();
    await until(async () => expect(await runs()).not.toBe(first));
    await service.reeve.operations.result(await service.reeve.raise(Bell, 'kept', 'free'));
    expect(await tickOf('kept')).toEqual(tick);
    expect(outside.asked).toHaveLength(1);
  });

  it('ticks when it is due, and asks for the first tick after that (S4.5, calendar.2)', async () => {
    outside.answer = (after) => after + 1_500;
    await service.reeve.create(Bell, 'ringing', 'hang');
    await until(async () => expect((await read('ringing')).properties['rings']).toHaveLength(2));
    const { bornAt, properties } = await read('ringing');
    const [first, second] = (properties['rings'] as readonly string[]).map((at) => Date.parse(at));
    expect(first! - bornAt).toBeGreaterThanOrEqual(1_500);
    expect(second! - first!).toBeGreaterThanOrEqual(1_500);
    outside.answer = (after) => after + 5 * HOUR;
    await service.reeve.operations.result(await service.reeve.raise(Bell, 'ringing', 'melt'));
    for await (const { error } of replayHistories(service.workflowBundle, await histories('ringing')))
      expect(error).toBeUndefined();
  });
});
