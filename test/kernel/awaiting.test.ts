import { describe, expect, it } from 'vitest';
import { idFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import { z } from 'zod';
import { defineEntity, implementActions, initial, terminal, type ActionContext } from '../../src/definition/index.js';
import type { EntityInput } from '../../src/kernel/life/entity-life.js';
import type { EntityMessage } from '../../src/protocol/entity-message.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { Report } from '../../src/protocol/report.js';
import type { SeenEntity, View } from '../../src/protocol/reading.js';
import { Box } from '../entities/box.js';
import { LoneEntity } from '../support/lone-entity.js';

const MINUTE = 60_000;

/** Does what a test says. */
const Worker = defineEntity('Worker', {
  key: z.string(),
  properties: z.object({}),
  states: { Idle: initial(), Stopped: terminal() },
  events: { work: { in: 'Idle' }, stop: { in: 'Idle', busy: 'abort' } },
  actions: { work: { on: 'work', in: 'Idle' }, stop: { on: 'stop', in: 'Idle', to: 'Stopped' } },
});
type Work = (app: ActionContext<typeof Worker, 'work'>) => Promise<unknown>;

/** A worker at its work, and what that came to. */
async function working(work: Work, prepare: (worker: LoneEntity) => void = () => undefined, input?: EntityInput) {
  const heard: unknown[] = [];
  const failed: { readonly code: string; readonly message: string }[] = [];
  const implementation = implementActions(Worker, {
    work: async (app) => {
      await work(app).then(
        (outcome) => heard.push(outcome),
        (thrown: (typeof failed)[number]) => failed.push(thrown),
      );
    },
    stop: async (app) => app.goTo('Stopped'),
  });
  const worker = new LoneEntity(implementation, input);
  prepare(worker);
  if (input) await worker.calm();
  else await worker.raise({ id: 'go', event: 'work' });
  return { worker, heard, failed };
}

const within = { within: '1h' } as const;
const look: Work = (app) => app.raiseAndWait(Box, 'b', 'look', within);
const LOOK = `Worker/k#life-1/0/work/look/1.${idFingerprint('Box/b')}@0000000001000`;
const box = { type: 'Box', key: 'b' };
const placed: EngagementOutcome = { state: 'Placed', version: 3, health: 'normal', waiting: false };
const awaited = (outcome: Partial<EngagementOutcome> = {}, toLife = 'life-1'): EntityMessage => ({
  kind: 'awaited',
  toLife,
  engagement: LOOK,
  outcome: { ...placed, ...outcome },
});
const report = (outcome: Partial<EngagementOutcome> = {}, more: Partial<Report> = {}): Report => ({
  ...{ kind: 'report', from: { ...box, life: 'life-b' }, toLife: 'life-1', version: 3, ended: [LOOK] },
  outcome: { ...placed, ...outcome },
  ...more,
});

describe('an action that waits for what an event sets off', () => {
  it('shows it while it lasts, and hears how it came out (S3.3, S3.8, awaits.1)', async () => {
    const { worker, heard } = await working(look);
    const awaits = [
      {
        kind: 'event',
        wait: 'uuid-1',
        place: { ask: 0 },
        on: 'Box/b',
        engagement: LOOK,
        event: 'look',
        until: 1_000 + 60 * MINUTE,
      },
    ];
    expect(worker.snapshot.running?.awaits).toMatchObject(awaits);
    expect(worker.shown.at(-1)?.running?.awaits).toMatchObject(awaits);
    expect(worker.taken()).toMatchObject([
      { kind: 'raise', key: 'b', request: { id: LOOK, event: 'look', operation: 'go', awaited: 'uuid-1' } },
    ]);
    await worker.hear(awaited());
    expect(heard).toStrictEqual([{ status: 'settled', state: 'Placed', health: 'normal' }]);
    expect(worker.snapshot.running).toBeUndefined();
  });

  it('hears of an error that no retry made good, and of a rejection (S3.3)', async () => {
    const error = { kind: 'retryable', code: 'oops', message: 'it broke' } as const;
    const failing = await working(look);
    await failing.worker.hear(awaited({ health: 'error', error }));
    expect(failing.heard).toStrictEqual([{ status: 'settled', state: 'Placed', health: 'error', error }]);
    const rejected = await working(look);
    const rejection = { code: 'not_valid', message: 'not now', entity: 'Box/b', event: 'look' };
    await rejected.worker.hear(report({ rejection }));
    expect(rejected.heard).toStrictEqual([{ status: 'rejected', code: 'not_valid', message: 'not now' }]);
  });

  it('is told that nobody is there (S2.2, S3.3)', async () => {
    const { heard } = await working(look, (worker) => worker.absent.add('Box/b'));
    expect(heard).toMatchObject([{ status: 'rejected', code: 'absent' }]);
  });

  it('is not ended by what is for another life, another event, or only settles the event itself (S4.2, awaits.2)', async () => {
    const { worker, heard } = await working(look);
    await worker.hear(awaited({}, 'life-0'));
    await worker.hear(report());
    await worker.hear(
      report({ rejection: { code: 'c', message: 'm', entity: 'e', event: 'x' } }, { ended: ['other'] }),
    );
    await worker.hear({ ...awaited(), engagement: 'other' });
    expect(heard).toEqual([]);
    expect(worker.snapshot.running?.awaits).toHaveLength(1);
    expect(worker.told.filter(({ message }) => message.kind === 'await')).toEqual([]);
  });

  it('asks the operation how far that is which had ended before (S3.2, S4.2)', async () => {
    const { worker } = await working((app) => Promise.all([look(app), app.read(Box, 'c', within)]));
    await worker.hear(report({}, { again: true, ended: ['other'] }));
    expect(worker.told.filter(({ message }) => message.kind === 'await')).toEqual([]);
    await worker.hear(report({}, { again: true }));
    const by = { type: 'Worker', key: 'k', life: 'life-1' };
    expect(worker.told.filter(({ message }) => message.kind === 'await')).toEqual([
      { operation: 'go', message: { kind: 'await', by, engagement: LOOK, outcome: placed } },
    ]);
  });

  it('goes on after the time limit, with an error that says so (S3.8, awaits.1)', async () => {
    const { worker, failed } = await working(look);
    await worker.pass(60 * MINUTE - 1);
    expect(failed).toEqual([]);
    await worker.pass(1);
    const message = "Box/b has not settled within 1h after 'look' was raised on it.";
    expect(failed).toMatchObject([{ code: 'wait_timed_out', message }]);
    expect(worker.snapshot.running).toBeUndefined();
  });

  it('ends when the action is aborted (S3.2, awaits.1)', async () => {
    const { worker, failed } = await working(look);
    await worker.raise({ id: 'halt', event: 'stop' });
    expect(failed).toMatchObject([{ code: 'aborted', message: expect.stringContaining('waited for Box/b') }]);
    expect(worker.snapshot).toMatchObject({ state: 'Stopped' });
  });

  it('is told of each of two waits what is its own (S3.3, awaits.1)', async () => {
    const { worker, heard } = await working(async (app) => {
      const first = look(app);
      const second = app.raiseAndWait(Box, 'c', 'look', within);
      return [await second, worker.snapshot.running?.awaits?.map(({ wait }) => wait), await first];
    });
    expect(worker.snapshot.running?.awaits?.map(({ on }) => on)).toEqual(['Box/b', 'Box/c']);
    await worker.hear({
      ...awaited({ state: 'Second' }),
      engagement: `Worker/k#life-1/0/work/look/2.${idFingerprint('Box/c')}@0000000001000`,
    });
    expect(worker.snapshot.running?.awaits).toMatchObject([{ wait: 'uuid-1' }]);
    await worker.hear(awaited());
    expect(heard).toMatchObject([[{ state: 'Second' }, ['uuid-1'], { state: 'Placed' }]]);
  });
});

/** Lists what a worker has taken back since the last time. */
const takenBack = (worker: LoneEntity) => worker.taken().filter(({ kind }) => kind === 'withdraw');
const by = { type: 'Worker', key: 'k', life: 'life-1' };
const withdrawal = { kind: 'withdraw', from: by, request: LOOK };

describe('an event for which an action stops waiting', () => {
  it('is taken back when the time is over, or the action is aborted (S3.8, awaits.3)', async () => {
    const late = await working(look);
    await late.worker.pass(60 * MINUTE);
    expect(takenBack(late.worker)).toEqual([withdrawal]);
    const aborted = await working(look);
    await aborted.worker.raise({ id: 'halt', event: 'stop' });
    expect(takenBack(aborted.worker)).toEqual([withdrawal]);
  });

  it('is taken back when the wait closes a circle (S3.8, awaits.3)', async () => {
    const { worker } = await working(look);
    const path = [
      { on: 'Box/b', kind: 'event' as const, id: LOOK },
      { on: 'Worker/k', kind: 'event' as const, id: 'go' },
    ];
    await worker.hear({ kind: 'probe', initiator: by, wait: 'uuid-1', round: 0, path });
    expect(takenBack(worker)).toEqual([withdrawal]);
  });

  it('is not, once there is an answer, nor when it is only asked how something is (awaits.3)', async () => {
    const answered = await working(look);
    await answered.worker.hear(awaited());
    const reading = await working((app) => app.read(Box, 'b', within));
    await reading.worker.pass(60 * MINUTE);
    expect([...takenBack(answered.worker), ...takenBack(reading.worker)]).toEqual([]);
  });

  it('is left to the next attempt by an action that has ended for another reason (S3.4, awaits.3)', async () => {
    const { worker, failed } = await working((app) => Promise.race([look(app), app.read(Box, 'c', { within: '1s' })]));
    await worker.pass(1_000);
    expect(failed).toMatchObject([{ code: 'wait_timed_out' }]);
    expect(worker.snapshot.running).toBeUndefined();
    await worker.pass(60 * MINUTE);
    expect(takenBack(worker)).toEqual([]);
  });

  it('is raised anew when an earlier attempt had taken it back, under another id and in the same time (S3.4, awaits.3)', async () => {
    const { worker, heard, failed } = await working(look);
    worker.taken();
    await worker.pass(MINUTE);
    const rejection = { code: 'withdrawn', message: 'm', entity: 'Box/b', event: 'look' };
    await worker.hear(report({ rejection }));
    const raised = worker.taken().filter(({ kind }) => kind === 'raise');
    expect(raised).toMatchObject([{ request: { id: `${LOOK}~1`, event: 'look' } }]);
    expect(worker.snapshot.running?.awaits).toMatchObject([{ until: 1_000 + 60 * MINUTE }]);
    await worker.hear({ ...awaited(), engagement: `${LOOK}~1` });
    expect([heard, failed]).toMatchObject([[{ status: 'settled' }], []]);
  });
});

describe('an action that waits for itself', () => {
  const probe = (wait: string, initiator = { type: 'Worker', key: 'k', life: 'life-1' }): EntityMessage => ({
    kind: 'probe',
    initiator,
    wait,
    round: 0,
    path: [
      { on: 'Box/b', kind: 'event', id: LOOK },
      { on: 'Worker/k', kind: 'event', id: 'go' },
    ],
  });

  it('is refused the wait, with the names of the circle (S3.8, circle.2)', async () => {
    const { worker, failed } = await working(look);
    await worker.hear(probe('uuid-1'));
    expect(failed).toMatchObject([{ code: 'deadlock', cycle: ['Worker/k', 'Box/b'], reserves: false }]);
  });

  it('is told of no circle that is not its own, or that has an answer by now (S3.8, circle.2)', async () => {
    const { worker, failed, heard } = await working(look);
    await worker.hear(probe('uuid-2'));
    await worker.hear(probe('uuid-1', { type: 'Worker', key: 'k', life: 'life-0' }));
    await worker.calm();
    worker.handlers!.message(awaited());
    await worker.hear(probe('uuid-1'));
    expect([heard, failed]).toMatchObject([[{ status: 'settled' }], []]);
  });

  it('has a probe sent again while it waits, each time after four times as long (S3.8, circle.1)', async () => {
    const { worker } = await working(look);
    const path = [{ on: 'Box/b', kind: 'event', id: LOOK }];
    const at: number[] = [];
    while (worker.now < 2 * MINUTE) {
      worker.taken();
      await worker.pass(1_000);
      const probes = worker.taken().filter(({ kind }) => kind === 'probe');
      if (probes.length > 0) at.push(worker.now - 1_000);
      for (const each of probes) {
        expect(each).toEqual({
          ...{ kind: 'probe', initiator: { type: 'Worker', key: 'k', life: 'life-1' }, wait: 'uuid-1', path },
          round: at.length,
        });
      }
    }
    expect(at).toEqual([5_000, 25_000, 105_000]);
  });

  it('looks after the other one, at growing distances, and sees no probe for a mere look (S3.3, S4.4)', async () => {
    const raising = await working(look);
    const reading = await working((app) => app.read(Box, 'b', within));
    const looks: number[] = [];
    for (const { worker } of [raising, reading]) {
      worker.taken();
      for (let second = 0; second < 100; second++) {
        await worker.pass(1_000);
        const said = worker.taken().map(({ kind }) => kind);
        if (worker === reading.worker) expect(said).toEqual([]);
        else if (said.includes('look')) looks.push(worker.now - 1_000);
      }
    }
    expect(looks).toEqual([30_000, 90_000]);
    expect(reading.worker.timeouts.filter(Number.isFinite)).toEqual([60 * MINUTE]);
  });
});

const seen: SeenEntity = {
  ...box,
  ...{ state: 'Placed', version: 3, properties: {}, links: {}, subordinates: {}, health: 'normal', settled: true },
};
const view = (more: Partial<View> = {}): View => ({
  ...{ kind: 'view', from: box, toLife: 'life-1', wait: 'uuid-1', view: seen },
  ...more,
});

describe('an action that reads another entity', () => {
  const read: Work = (app) => app.read(Box, 'b', { within: '1m' });

  it('asks it, and gets the first answer (S3.3, awaits.2)', async () => {
    const { worker, heard } = await working(read);
    expect(worker.taken()).toEqual([
      { kind: 'read', from: { type: 'Worker', key: 'k', life: 'life-1' }, wait: 'uuid-1' },
    ]);
    expect(worker.snapshot.running?.awaits).toMatchObject([{ kind: 'view', on: 'Box/b' }]);
    await worker.hear(view({ wait: 'uuid-2' }));
    await worker.hear(view({ toLife: 'life-0' }));
    expect(heard).toEqual([]);
    worker.handlers!.message(view());
    await worker.hear(view({ view: { ...seen, version: 4 } }));
    expect(heard).toEqual([seen]);
  });

  it('is told of nothing where nothing is (S3.3)', async () => {
    const gone = await working(read, (worker) => worker.absent.add('Box/b'));
    expect(gone.heard).toEqual([undefined]);
    const deleted = await working(read);
    const { view: _, ...nothing } = view();
    await deleted.worker.hear(nothing);
    expect(deleted.heard).toEqual([undefined]);
  });

  it('goes on after the time limit, with an error that says so (S3.8, awaits.1)', async () => {
    const { worker, failed } = await working(read);
    await worker.pass(MINUTE);
    const message = 'Box/b has not answered a read within 1m.';
    expect(failed).toMatchObject([{ code: 'wait_timed_out', message }]);
    expect(worker.taken().map(({ kind }) => kind)).toEqual(['read']);
  });
});

describe('an action that reserves another entity', () => {
  const granted = { fence: 7, life: 'life-b', until: 90_000 };
  const reserve: Work = (app) => app.reserve(Box, 'b', { within: '1m', lease: '2m' });

  it('asks it, and holds the reservation until it ends (S3.6, holding.2)', async () => {
    let go!: () => void;
    const gate = new Promise<void>((resolve) => (go = resolve));
    const { worker, heard } = await working(async (app) => {
      const reserved = await reserve(app);
      await gate;
      return reserved;
    });
    expect(worker.taken()).toEqual([
      {
        kind: 'reserve',
        from: { type: 'Worker', key: 'k', life: 'life-1' },
        operation: 'go',
        wait: 'uuid-1',
        leaseMs: 2 * MINUTE,
        hold: 'action',
        until: 1_000 + MINUTE,
      },
    ]);
    expect(worker.snapshot.running?.awaits).toMatchObject([{ kind: 'reservation', on: 'Box/b', hold: 'action' }]);
    await worker.hear(view({ granted }));
    // The same again is no other reservation, and does not end the one that is held.
    await worker.hear(view({ granted }));
    const on = { ...box, fence: 7, life: 'life-b' };
    expect(worker.snapshot.running).toStrictEqual({
      ...{ action: 'work', kind: 'event', startedAt: 1_000 },
      holds: [{ wait: 'uuid-1', on, operation: 'go', until: 90_000, hold: 'action' }],
    });
    expect(worker.taken()).toEqual([]);
    go();
    await worker.calm();
    expect(heard).toEqual([{ ...seen, fence: 7, until: 90_000 }]);
    expect(worker.taken()).toEqual([{ kind: 'release', wait: 'uuid-1' }]);
  });

  it('is told of nothing where nothing is (S3.6)', async () => {
    const { heard } = await working(reserve, (worker) => worker.absent.add('Box/b'));
    expect(heard).toEqual([undefined]);
    const deleted = await working(reserve);
    const { view: _, ...nothing } = view();
    await deleted.worker.hear(nothing);
    expect(deleted.heard).toEqual([undefined]);
    expect(deleted.worker.snapshot.running).toBeUndefined();
  });

  it('gives up what is granted too late, or was meant for an earlier life (S3.6, awaits.2)', async () => {
    const { worker, failed } = await working(reserve);
    await worker.hear(view({ granted, toLife: 'life-0', wait: 'old' }));
    expect(worker.taken().slice(1)).toEqual([{ kind: 'release', wait: 'old' }]);
    await worker.pass(MINUTE);
    const message = 'Box/b could not be reserved within the time that was given for it.';
    expect(failed).toMatchObject([{ code: 'wait_timed_out', message }]);
    const release = { kind: 'release', wait: 'uuid-1' };
    expect(worker.taken().filter(({ kind }) => kind !== 'probe')).toEqual([release]);
    await worker.hear(view({ granted }));
    expect(worker.taken()).toEqual([release]);
    await worker.hear(view());
    expect(worker.taken()).toEqual([]);
  });

  it('gives it up when it is aborted or waits for itself (S3.2, S3.8)', async () => {
    const aborted = await working(reserve);
    await aborted.worker.raise({ id: 'halt', event: 'stop' });
    expect(aborted.worker.taken().slice(1)).toEqual([{ kind: 'release', wait: 'uuid-1' }]);
    const circle = await working(reserve);
    await circle.worker.hear({
      ...{ kind: 'probe', initiator: { type: 'Worker', key: 'k', life: 'life-1' }, wait: 'uuid-1', round: 0 },
      path: [{ on: 'Worker/k', kind: 'event', id: 'go' }],
    });
    expect(circle.worker.taken().at(-1)).toEqual({ kind: 'release', wait: 'uuid-1' });
    expect(circle.failed).toMatchObject([{ code: 'deadlock', reserves: true }]);
  });

  it('has a probe sent for what it still waits for beside it, once it is granted (S3.8, circle.3)', async () => {
    const { worker } = await working((app) => Promise.all([reserve(app), look(app), app.read(Box, 'c', within)]));
    worker.taken();
    await worker.hear(view({ granted }));
    const initiator = { type: 'Worker', key: 'k', life: 'life-1' };
    const path = [{ on: 'Box/b', kind: 'event', id: LOOK }];
    const probe = { kind: 'probe', initiator, wait: 'uuid-2', round: 1, path };
    expect(worker.taken()).toEqual([probe]);
    await worker.pass(5_000);
    expect(worker.taken()).toEqual([{ ...probe, round: 2 }]);
  });

  it('tells the operation of what is to last as long as that (S3.6)', async () => {
    const { worker } = await working((app) => app.reserve(Box, 'b', { until: 'operation' }));
    await worker.hear(view({ granted }));
    expect(worker.told).toMatchObject([
      { operation: 'go', message: { kind: 'reserved', on: box, wait: 'uuid-1' } },
      { operation: 'go', message: { kind: 'ended' } },
    ]);
    expect(worker.snapshot.holds).toMatchObject([{ wait: 'uuid-1', hold: 'operation' }]);
    expect(worker.taken().map(({ kind }) => kind)).toEqual(['reserve']);
  });

  it('takes several in key order, within one time limit for all, and gives them as asked for (S3.6, holding.1)', async () => {
    const { worker, heard, failed } = await working((app) =>
      app.reserveAll(
        [
          [Box, 'c'],
          [Box, 'b'],
        ],
        { within: '1m' },
      ),
    );
    expect(worker.snapshot.running?.awaits).toMatchObject([{ on: 'Box/b', until: 1_000 + MINUTE }]);
    await worker.pass(20_000);
    await worker.hear(view({ granted }));
    expect(worker.snapshot.running?.awaits).toMatchObject([{ on: 'Box/c', until: 1_000 + MINUTE }]);
    await worker.hear(view({ wait: 'uuid-2', from: { type: 'Box', key: 'c' }, view: { ...seen, key: 'c' }, granted }));
    expect(heard).toMatchObject([[{ key: 'c' }, { key: 'b' }]]);
    expect(failed).toEqual([]);
  });
});

describe('an action whose run ends while it waits', () => {
  /** The run that takes over, with the work that its code does by now. */
  async function goingOn(before: Work, now: Work = before) {
    const first = await working(before);
    first.worker.rollsOver = true;
    await first.worker.hear(undefined);
    const { next } = first.worker.end as { readonly next: EntityInput };
    return working(now, () => undefined, JSON.parse(JSON.stringify(next)) as EntityInput);
  }

  it('takes up its wait, asks nothing again, and hears what comes (awaits.4, hand-over.1)', async () => {
    const { worker, heard } = await goingOn(look);
    expect(worker.snapshot.running?.awaits).toMatchObject([{ wait: 'uuid-1', engagement: LOOK, until: 3_601_000 }]);
    expect(worker.taken()).toEqual([]);
    await worker.hear(awaited());
    expect(heard).toEqual([{ status: 'settled', state: 'Placed', health: 'normal' }]);
  });

  it('withdraws what its code does not take up (awaits.3, awaits.4)', async () => {
    const { worker, failed } = await goingOn(look, (app) => app.read(Box, 'other'));
    expect(failed).toMatchObject([{ code: 'action_changed' }]);
    expect(worker.snapshot.running).toBeUndefined();
    expect(worker.taken()).toEqual([withdrawal]);
  });
});
