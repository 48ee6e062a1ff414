import { Client } from '@temporalio/client';
import pino from 'pino';
import { Registry } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findingsOf } from '../../src/cli/doctor/attention.js';
import { byCause } from '../../src/cli/list/needs.js';
import { needyAmong } from '../../src/cli/list/needy-entities.js';
import { Rejected } from '../../src/protocol/errors.js';
import { ReeveClient } from '../../src/client/client.js';
import type { Untaken } from '../../src/client/explain/untaken.js';
import type { UnservedQueue } from '../../src/client/explain/unserved-queues.js';
import type { Visible } from '../../src/client/live/visibility.js';
import { nameOf, type BlockedJobs, type InstanceReading } from '../../src/distributed/index.js';
import type { Stuck } from '../../src/kernel/index.js';
import type { InstanceRecord } from '../../src/protocol/instance-record.js';
import type { DeploymentRecord } from '../../src/protocol/deployment-records.js';
import { SEARCH_ATTRIBUTES } from '../../src/protocol/names.js';
import type { EntityNeed, StoreRecord } from '../../src/protocol/records.js';
import { createApplication } from '../../src/service/application.js';
import { serviceStore } from '../../src/service/service-store.js';
import type { Attention, Concern } from '../../src/service/attention/attention-schema.js';
import { openStore, type Store } from '../../src/store/index.js';
import { connectWhenAsked } from '../../src/temporal/connection.js';
import { event, operation, standing } from '../store/records.js';
import { useServer } from '../store/server.js';
import { DIMENSIONS, Port, Ship } from './fleet.js';

/*
 * The planted list: each condition in which a person is needed, in rows of the store and in what Temporal shows. Each has to be told by
 * the API, `reeve doctor`, `reeve entities --stuck` and the metric.
 */

const server = useServer();
const stores: Store[] = [];
afterAll(async () => {
  for (const store of stores) await store.close();
});
const NOW = Date.now();
const HOUR = 3_600_000;
const FAILED = { kind: 'needs_operator', code: 'no_licence', message: 'the licence has ended' } as const;

const ship = (key: string, values: object = {}) =>
  standing(1, {
    entity: { type: 'Ship', key, life: `life of ${key}` },
    enteredAt: NOW - HOUR,
    at: NOW - HOUR,
    ...values,
  });
const needy = (key: string, need: Omit<EntityNeed, 'since'>, values: object = {}) =>
  ship(key, { need: { since: NOW - HOUR, ...need }, ...values });
const awaiting = (key: string, more: object) =>
  ship(key, { callbacks: [{ id: `of ${key}`, since: NOW - HOUR, until: NOW + HOUR, ...more }] });
const failed = (key: string, id: string) => [
  operation(id, {
    ...{ name: `moor Ship/${key}`, startedAt: NOW - HOUR, answeredAt: NOW - HOUR, endedAt: NOW - HOUR / 2 },
    ...{ outcome: 'failed' as const, error: FAILED },
  }),
  event(id, { entity: { type: 'Ship', key, life: `life of ${key}` }, operation: id }),
];
const hung = (key: string) => operation(key, { name: `moor Ship/${key}`, startedAt: NOW - HOUR, outcome: 'hung' });
const refusedCancel = (key: string) =>
  event(`${key}/cancel/Ship/${key}`, {
    ...{ entity: { type: 'Ship', key, life: 'l' }, operation: key, event: 'cancel', endedAt: NOW - HOUR / 2 },
    error: { kind: 'rejected', code: 'not_valid', message: 'not now' },
  });
const deployment = (name: string, life: string, more: Partial<DeploymentRecord> = {}): DeploymentRecord => ({
  ...{ kind: 'deployment', name, life, startedAt: NOW - HOUR, origin: { component: 'Shop', request: life } },
  ...{ phase: 'up', since: NOW - HOUR, at: NOW - HOUR },
  ...more,
});
const broken: Partial<DeploymentRecord> = {
  ...{ phase: 'ended', endedAt: NOW - HOUR / 2, at: NOW - HOUR / 2 },
  end: { type: 'abnormal', description: 'the shop burns', component: 'kitchen' },
};

function instance(target: string, number: number, told: Partial<InstanceReading> = {}): InstanceRecord {
  const reading: InstanceReading = {
    ...{ target, type: 'index', instance: number, phase: 'running', paused: false, pausedMs: 0, atOnce: 4 },
    ...{ jobs: { all: 4, succeeded: 0, failed: 0, running: 1 }, troubles: [], retries: [], startedAt: NOW - HOUR },
    lanes: [{ number: 1, place: 'home', partitions: '0-3' }],
    ...told,
  };
  const { outcome, endedAt } = told;
  return {
    ...{ kind: 'instance', life: `${target} ${number}`, name: `${target}/index/${number}`, target, type: 'index' },
    ...{ instance: number, operation: `${target} ${number}`, state: told.phase ?? 'running', startedAt: NOW - HOUR },
    ...(outcome && { outcome }),
    ...(endedAt !== undefined && { endedAt }),
    ...{ reading, at: NOW - HOUR },
  };
}

const visible = (id: string, type: string, shown: Readonly<Record<string, string>> = {}): Visible => ({
  ...{ id, type, life: id, startedAt: new Date(NOW - HOUR), taskQueue: 'reeve' },
  attribute: (name) => shown[name],
});
const stuck = (reason: Stuck['reason'], message: string): Stuck => ({
  reason,
  message,
  since: NOW - HOUR,
  whatToDo: 'Do it.',
});
const queue = (more: Partial<UnservedQueue>): UnservedQueue => ({
  ...{ taskQueue: 'reeve', work: 'steps', waiting: 0, oldestMs: 0, workers: 0 },
  ...more,
});

/** Shown by Temporal, beside the rows. */
interface Shown {
  readonly workflows?: readonly (readonly [Visible, Stuck | undefined])[];
  readonly unserved?: readonly UnservedQueue[];
  readonly untaken?: readonly Untaken[];
  readonly stuck?: Readonly<Record<string, Stuck>>;
  readonly locks?: Readonly<Record<string, readonly BlockedJobs[]>>;
}

interface Planted extends Shown {
  readonly what: string;
  readonly rows?: readonly StoreRecord[];
  /** The concern that is told. */
  readonly told: Partial<Concern>;
}

const PLANTED: readonly Planted[] = [
  {
    what: 'an entity whose attempts are used up',
    rows: [needy('used-up', { reason: 'exhausted', message: "all attempts of 'load' are used up", error: FAILED })],
    told: {
      name: 'Ship/used-up',
      reason: 'exhausted',
      fix: 'retry',
      command: 'reeve retry Ship/used-up',
      error: { code: 'no_licence', message: FAILED.message },
    },
  },
  {
    what: 'an entity whose code does not end',
    rows: [
      needy('endless', {
        reason: 'exhausted',
        message: "all attempts of 'load' are used up",
        error: { kind: 'defect', code: 'endless_code', message: "the code of 'load' did not end" },
      }),
    ],
    told: { name: 'Ship/endless', error: { code: 'endless_code', message: "the code of 'load' did not end" } },
  },
  {
    what: 'an entity in an error state',
    rows: [
      needy(
        'sunk',
        { reason: 'error_state', message: 'it is in the error state Sunk', error: FAILED },
        { state: 'Sunk', health: 'error' },
      ),
    ],
    told: {
      name: 'Ship/sunk',
      reason: 'error_state',
      state: 'Sunk',
      cause: 'Ship in Sunk: rests in an error state (no_licence)',
    },
  },
  {
    what: 'an entity in an error state that events lead out of',
    rows: [
      needy(
        'listing',
        { reason: 'error_state', message: 'it is in the error state Ready' },
        { state: 'Ready', health: 'error' },
      ),
    ],
    told: {
      ...{ name: 'Ship/listing', reason: 'error_state', command: 'reeve explain Ship/listing' },
      what_to_do: 'Fix the cause, then raise one of scrap, moor.',
    },
  },
  {
    what: 'an entity in an error state since its successor failed',
    rows: [
      needy(
        'beached',
        { reason: 'error_state', message: 'it is in the error state Beached, since these failed: Port/a' },
        { state: 'Beached', health: 'error' },
      ),
    ],
    told: {
      name: 'Ship/beached',
      reason: 'error_state',
      command: 'reeve explain Ship/beached',
      message: expect.stringContaining('Port/a') as string,
    },
  },
  {
    what: 'an entity in an error state, to which an operation led it that failed elsewhere',
    rows: [
      needy(
        'stranded',
        { reason: 'error_state', message: 'it is in the error state Stranded', operation: 'stranded-1' },
        { state: 'Stranded', health: 'error' },
      ),
      operation('stranded-1', {
        ...{ name: 'tow Ship/stranded', startedAt: NOW - HOUR, answeredAt: NOW - HOUR, endedAt: NOW - HOUR },
        ...{ outcome: 'failed' as const, error: { kind: 'retryable', code: 'no_tug', message: 'all tugs are away' } },
      }),
    ],
    told: {
      ...{ name: 'Ship/stranded', reason: 'error_state', operation: 'stranded-1' },
      error: { code: 'no_tug', message: 'all tugs are away' },
      cause: 'Ship in Stranded: rests in an error state (no_tug)',
    },
  },
  {
    what: 'an entity that waits for what cannot happen',
    rows: [needy('waiting', { reason: 'dead_end', message: 'it rests in Waiting' }, { settled: false })],
    told: { name: 'Ship/waiting', reason: 'dead_end', command: 'reeve explain Ship/waiting' },
  },
  {
    what: 'a call that waits for an approval',
    rows: [awaiting('approval', { call: 'approvals.ask' })],
    told: { name: 'Ship/approval', reason: 'answer', fix: 'answer', command: 'reeve callbacks list Ship/approval' },
  },
  {
    what: 'an event that an answer from outside raises',
    rows: [awaiting('pilot', { event: 'pilotComes' })],
    told: { name: 'Ship/pilot', reason: 'answer', cause: 'Ship, pilotComes: waits for an answer' },
  },
  {
    what: 'an operation past its budget',
    rows: [operation('slow', { name: 'moor Ship/slow', startedAt: NOW - HOUR, outcome: 'hung' })],
    told: { kind: 'operation', name: 'moor Ship/slow', operation: 'slow', reason: 'hung', fix: 'cancel' },
  },
  {
    what: 'an operation past its budget whose entity takes no cancel: none is advised',
    rows: [ship('firm', { settled: false, at: NOW }), hung('firm')],
    told: {
      ...{ name: 'moor Ship/firm', reason: 'hung', fix: null },
      what_to_do: expect.stringMatching(/Fix that; it cannot be canceled now\.$/) as string,
    },
  },
  {
    what: 'an operation past its budget of which an entity has refused to cancel: none is advised again',
    rows: [
      hung('stubborn'),
      event('stubborn', { entity: { type: 'Ship', key: 'stubborn', life: 'l' }, operation: 'stubborn' }),
      refusedCancel('stubborn'),
    ],
    told: {
      ...{ name: 'moor Ship/stubborn', reason: 'hung', fix: null },
      what_to_do: expect.stringMatching(/^It has refused to cancel\..* Fix that, and it continues\.$/) as string,
    },
  },
  {
    what: 'an operation that failed and needs an operator',
    rows: [ship('licence', { enteredAt: NOW - HOUR }), ...failed('licence', 'licence-1')],
    told: {
      kind: 'operation',
      name: 'moor Ship/licence',
      reason: 'failed',
      command: 'reeve operations show licence-1',
      error: { code: 'no_licence', message: FAILED.message },
    },
  },
  {
    what: 'an entity whose task keeps failing',
    workflows: [[visible('Ship/defect', 'Ship'), stuck('task_fails', 'its workflow task keeps failing: TypeError')]],
    told: { kind: 'entity', name: 'Ship/defect', reason: 'task_fails', command: 'reeve explain Ship/defect' },
  },
  {
    what: 'an operation whose task keeps failing',
    workflows: [
      [
        visible('op/o1', 'Operation', { [SEARCH_ATTRIBUTES.name]: 'moor Ship/x' }),
        stuck('task_fails', 'its workflow task keeps failing'),
      ],
    ],
    told: { kind: 'operation', name: 'moor Ship/x', reason: 'task_fails' },
  },
  {
    what: 'a deployment whose task keeps failing',
    workflows: [[visible('deployment/shop', 'Deployment'), stuck('task_fails', 'its workflow task keeps failing')]],
    told: { kind: 'deployment', reason: 'task_fails' },
  },
  {
    what: 'an operation over partitions whose task keeps failing',
    workflows: [
      [
        visible('distributed/a/index/7', 'DistributedOperation'),
        stuck('task_fails', 'its workflow task keeps failing'),
      ],
    ],
    told: { kind: 'distributed', name: 'a/index/7', reason: 'task_fails' },
  },
  {
    what: 'any other workflow whose task keeps failing',
    workflows: [[visible('coordinator/a', 'Coordinator'), stuck('task_fails', 'its workflow task keeps failing')]],
    told: { kind: 'workflow', name: 'coordinator/a', reason: 'task_fails' },
  },
  {
    what: 'an entity whose call is paused',
    workflows: [[visible('Ship/paused', 'Ship'), stuck('call_paused', 'its call docks.open is paused')]],
    told: { kind: 'entity', name: 'Ship/paused', reason: 'call_paused' },
  },
  {
    what: 'an entity whose call loses its workers',
    rows: [ship('lost-calls', { settled: false })],
    stuck: { 'Ship/lost-calls': stuck('call_repeats', 'its call docks.open is made for the 5th time') },
    told: { name: 'Ship/lost-calls', reason: 'call_repeats' },
  },
  {
    what: 'an entity whose call waits in a queue without a worker',
    rows: [ship('far-call', { settled: false })],
    stuck: { 'Ship/far-call': stuck('no_worker', "its call is queued, and no worker serves the task queue 'docks'") },
    told: { name: 'Ship/far-call', reason: 'no_worker' },
  },
  {
    what: 'an entity on a build that no worker serves',
    rows: [ship('old-build', { settled: false })],
    stuck: { 'Ship/old-build': stuck('no_worker', "it is pinned to the build 'b1'") },
    told: { name: 'Ship/old-build', reason: 'no_worker' },
  },
  {
    what: 'an entity whose task queue no worker has ever polled, so that the store has no row of it',
    untaken: [
      {
        workflow: visible('Ship/unborn', 'Ship'),
        stuck: stuck('no_worker', "its first task waits, and no worker serves the task queue 'docks'"),
      },
    ],
    told: { kind: 'entity', name: 'Ship/unborn', reason: 'no_worker', command: 'reeve explain Ship/unborn' },
  },
  {
    what: 'a task queue without a worker',
    unserved: [queue({ waiting: 3, oldestMs: 20_000 })],
    told: { kind: 'queue', name: 'reeve', reason: 'no_worker', message: 'no worker serves it. 3 of its tasks wait.' },
  },
  {
    what: 'a worker whose process is frozen, while its last poll still counts',
    unserved: [queue({ waiting: 3, oldestMs: 2_000, frozen: ['4203@host'] })],
    told: {
      ...{ kind: 'queue', name: 'reeve', reason: 'frozen', cause: "The task queue 'reeve': its worker is frozen" },
      command: 'kill -CONT 4203',
      message: '4203@host is frozen: a signal or a debugger has stopped it, and it does nothing. 3 of its tasks wait.',
    },
  },
  {
    what: 'workers that have just ended, while their last poll still counts',
    unserved: [queue({ waiting: 1, oldestMs: 14_000, workers: 1 })],
    told: { kind: 'queue', reason: 'no_worker', message: expect.stringContaining('the oldest for 14 s') as string },
  },
  {
    what: 'calls that no worker takes',
    unserved: [queue({ work: 'calls', waiting: 2 })],
    told: { kind: 'queue', cause: "The calls of 'reeve': no worker serves it" },
  },
  {
    what: 'jobs without an executor',
    rows: [
      instance('b', 1, {
        lanes: [
          { number: 1, place: 'east', partitions: '0-1' },
          { number: 2, place: 'east', partitions: '2-3' },
        ],
      }),
    ],
    unserved: [queue({ place: 'east', taskQueue: 'reeve/place/east', work: 'calls' })],
    told: {
      kind: 'distributed',
      name: 'b/index/1',
      reason: 'no_executor',
      command: 'reeve executor --place east',
      message: expect.stringContaining('2 of its jobs wait') as string,
    },
  },
  {
    what: 'jobs whose executor is frozen',
    rows: [instance('z', 1, { lanes: [{ number: 1, place: 'west', partitions: '0-3' }] })],
    unserved: [queue({ place: 'west', taskQueue: 'reeve/place/west', work: 'calls', frozen: ['4203@host'] })],
    told: {
      ...{ kind: 'distributed', name: 'z/index/1', reason: 'no_executor', command: 'kill -CONT 4203' },
      message: expect.stringContaining("at 'west', but 4203@host is frozen") as string,
    },
  },
  {
    what: 'a job that waits for a lock',
    rows: [instance('l', 1)],
    locks: {
      'l/index/1': [
        { kind: 'lock', partitions: '2', place: 'home', message: 'It is locked.', since: NOW - HOUR, pids: [4711] },
      ],
    },
    told: {
      kind: 'distributed',
      name: 'l/index/1',
      reason: 'lock',
      fix: 'cancel',
      message: 'its job on partition 2 waits for a lock: It is locked. Held by pid 4711.',
    },
  },
  {
    what: 'jobs on partitions that no place holds',
    rows: [instance('n', 1, { blocked: [{ kind: 'no_place', partitions: '3', message: 'None holds it.' }] })],
    told: { kind: 'distributed', name: 'n/index/1', reason: 'no_place' },
  },
  {
    what: 'an operation over partitions that a person has paused',
    rows: [instance('c', 1, { paused: true })],
    told: { kind: 'distributed', name: 'c/index/1', reason: 'paused', fix: 'resume' },
  },
  {
    what: 'a job that fails again and again',
    rows: [instance('d', 1, { troubles: [{ partition: 2, attempts: 5, message: 'disk full' }] })],
    told: {
      kind: 'distributed',
      name: 'd/index/1',
      reason: 'job_fails',
      message: expect.stringContaining('disk full') as string,
    },
  },
  {
    what: 'a clean-up that fails again and again',
    rows: [
      instance('e', 1, {
        phase: 'tidying',
        retries: [{ kind: 'tidy', place: 'home', attempts: 6, message: 'no disk' }],
      }),
    ],
    told: { kind: 'distributed', name: 'e/index/1', reason: 'clean_up_fails', fix: 'proceed' },
  },
  {
    what: 'a completion that fails again and again',
    rows: [
      instance('f', 1, { phase: 'completing', lanes: [], retries: [{ kind: 'complete', attempts: 6, message: 'no' }] }),
    ],
    told: { kind: 'distributed', name: 'f/index/1', reason: 'call_fails' },
  },
  {
    what: 'an operation over partitions that has failed',
    rows: [
      instance('g', 1, {
        phase: 'ended',
        outcome: 'failed',
        reason: 'row 7 is wrong',
        endedAt: NOW - HOUR / 2,
        lanes: [],
      }),
    ],
    told: { kind: 'distributed', name: 'g/index/1', reason: 'failed' },
  },
  {
    what: 'a deployment that has ended abnormally',
    rows: [deployment('bakery', 'b1', broken)],
    told: {
      kind: 'deployment',
      name: 'bakery',
      reason: 'failed',
      error: { code: 'abnormal', message: 'the shop burns' },
    },
  },
];

/** Rows that look much alike and need nobody. */
const FINE: readonly StoreRecord[] = [
  ship('at-rest'),
  ship('under-way', { settled: false }),
  needy('gone', { reason: 'exhausted', message: 'x' }, { deleted: true }),
  ship('answered', { callbacks: [{ id: 'late', call: 'approvals.ask', since: NOW - 2 * HOUR, until: NOW - HOUR }] }),
  ship('moved-on', { enteredAt: NOW - 1_000 }),
  ...failed('moved-on', 'moved-on-1'),
  deployment('cafe', 'c1', broken),
  deployment('cafe', 'c2', { startedAt: NOW - 1_000 }),
  instance('h', 1, { phase: 'ended', outcome: 'failed', endedAt: NOW - HOUR / 2, lanes: [] }),
  instance('h', 2),
  instance('i', 1, { phase: 'ended', outcome: 'cancelled', endedAt: NOW - HOUR / 2, lanes: [] }),
];

async function plant(
  rows: readonly StoreRecord[],
  { workflows = [], unserved = [], untaken = [], stuck: named = {}, locks = {} }: Shown = {},
) {
  const store = openStore({ url: await server.database(), dimensions: DIMENSIONS });
  stores.push(store);
  await store.migrate();
  await store.writer.keep(rows);
  const entities = [Port, Ship];
  const reeve = new ReeveClient({
    client: new Client({ connection: connectWhenAsked({ address: '127.0.0.1:1' }) }),
    entities,
  });
  const found = new Map<string, Stuck | undefined>([
    ...workflows.map(([{ id }, why]) => [id, why] as const),
    ...Object.entries(named),
  ]);
  vi.spyOn(reeve, 'read').mockRejectedValue(new Error('No entity may be asked.'));
  vi.spyOn(reeve, 'workers').mockResolvedValue({ taskQueue: 'reeve', alive: 1, frozen: [], builds: [] });
  vi.spyOn(reeve, 'unserved').mockResolvedValue(unserved);
  vi.spyOn(reeve, 'untaken').mockResolvedValue(untaken);
  const looked = vi.spyOn(reeve, 'stuck').mockImplementation((id) => Promise.resolve(found.get(id)));
  vi.spyOn(reeve.live, 'workflows').mockResolvedValue({ rows: workflows.map(([each]) => each) });
  vi.spyOn(reeve.distributed, 'locks').mockImplementation((ref) => Promise.resolve(locks[nameOf(ref)] ?? []));
  const metrics = new Registry();
  const application = createApplication({
    ...{ reeve, metrics, modules: [{ name: 'fleet', version: 2, entities }] },
    ...{ log: pino({ level: 'error' }), store: serviceStore(store) },
  });
  const ask = async () =>
    (await (await application.fetch(new Request('http://127.0.0.1/api/attention'))).json()) as Attention;
  const counted = async (reason: string) => {
    const [, count] =
      new RegExp(`^reeve_attention\\{reason="${reason}"\\} (\\d+)$`, 'm').exec(await metrics.metrics()) ?? [];
    return Number(count);
  };
  return { ask, counted, looked, reeve, metrics };
}

describe('what needs a person (S5.3, S5.4)', () => {
  let planted: Awaited<ReturnType<typeof plant>>;
  let told: Attention;
  beforeAll(async () => {
    const shown: Shown = {
      workflows: PLANTED.flatMap(({ workflows = [] }) => workflows),
      untaken: PLANTED.flatMap((each) => each.untaken ?? []),
      stuck: Object.assign({}, ...PLANTED.map((each) => each.stuck ?? {})) as Readonly<Record<string, Stuck>>,
      locks: Object.assign({}, ...PLANTED.map((each) => each.locks ?? {})) as NonNullable<Shown['locks']>,
      unserved: PLANTED.flatMap(({ unserved = [] }) => unserved.filter(({ place }) => place !== undefined)),
    };
    planted = await plant([...PLANTED.flatMap(({ rows = [] }) => rows), ...FINE], shown);
    told = await planted.ask();
  });
  const isQueue = ({ told: { kind } }: Planted) => kind === 'queue';

  it.each(PLANTED.filter((each) => !isQueue(each)))(
    'is told by the API, doctor, --stuck and the metric: $what',
    async (each) => {
      const found = told.items.find(
        (item) =>
          item.reason === (each.told.reason ?? item.reason) &&
          item.name === (each.told.name ?? item.name) &&
          item.kind === (each.told.kind ?? item.kind),
      );
      expect(found).toMatchObject(each.told);
      expect(found).toMatchObject({
        since: expect.stringMatching(/^20/) as string,
        command: expect.stringMatching(/^(reeve|temporal|kill) /) as string,
      });
      expect(findingsOf(byCause(told.items))).toContainEqual(
        expect.objectContaining({
          status: found!.reason === 'answer' ? 'waiting' : 'problem',
          says: expect.stringContaining(found!.name) as string,
        }),
      );
      if (found!.kind === 'entity') expect(needyAmong(told.items)).toContainEqual(found);
      expect(await planted.counted(found!.reason)).toBeGreaterThan(0);
    },
  );

  it.each(PLANTED.filter(isQueue))('is told so as well: $what', async ({ unserved = [], told: expected }) => {
    const { ask, counted } = await plant([], { unserved });
    const { items } = await ask();
    expect(items).toMatchObject([expected]);
    expect(findingsOf(byCause(items))).toMatchObject([
      { status: 'problem', says: expect.stringContaining('reeve') as string },
    ]);
    expect(await counted(expected.reason ?? 'no_worker')).toBe(1);
  });

  it('is nothing else, and the oldest comes first', () => {
    expect(told.partial).toEqual([]);
    expect(told.items).toHaveLength(PLANTED.filter((each) => !isQueue(each)).length);
    const times = told.items.map(({ since }) => since ?? '');
    expect(times).toEqual([...times].sort());
  });

  it('is nobody where everything is fine, and no entity is asked', async () => {
    // A lock that is held for a moment concerns nobody.
    const short = { kind: 'lock', partitions: '1', message: 'It is locked.', since: Date.now() } as const;
    const { ask, looked } = await plant(FINE, { locks: { 'h/index/2': [short] } });
    expect(await ask()).toMatchObject({ items: [], partial: [] });
    expect(findingsOf([])).toEqual([{ about: 'attention', status: 'ok', says: 'nothing needs you' }]);
    // Temporal is asked about silent entities.
    expect(looked.mock.calls).toEqual([['Ship/under-way']]);
  });

  it('is measured as incomplete by the same scrape in which Temporal cannot be asked (S5.5)', async () => {
    const { reeve, metrics } = await plant([]);
    const away = new Rejected({ code: 'no_answer', message: 'Temporal does not answer.', entity: '', event: '' });
    vi.spyOn(reeve, 'workers').mockRejectedValue(away);
    expect(await metrics.metrics()).toMatch(/^reeve_attention_partial 1$/m);
  });

  it('is read by few statements, however many there are', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) =>
      index % 10 === 0 ? awaiting(`a${index}`, { call: 'approvals.ask' }) : ship(`b${index}`),
    );
    const { ask, looked } = await plant(many);
    const { items } = await ask();
    expect(items).toHaveLength(100);
    expect(byCause(items)).toHaveLength(1);
    expect(looked).not.toHaveBeenCalled();
  });
});
