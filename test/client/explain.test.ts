import { hostname } from 'node:os';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ReeveClient } from '../../src/client/client.js';
import type { ExplainedEntity, ExplainedNode, Explanation } from '../../src/client/explain/explanation.js';
import { Account, Clerk } from '../entities/bank.js';
import { Box, Room } from '../entities/box.js';
import { Kiln, Pottery } from '../entities/kiln.js';
import { startTestService, type TestService } from '../support/service.js';
import { Shelf } from '../support/shelf.js';
import { until } from '../support/until.js';

const shelf = new Shelf();
let service: TestService;
beforeAll(async () => {
  service = await startTestService({
    workflows: 'entities/explain-workflows.ts',
    declarations: ['entities/bank.ts', 'entities/box.ts', 'entities/kiln.ts'],
    entities: [Account, Clerk, Box, Room, Kiln, Pottery],
    resources: [shelf.resource],
  });
});
afterAll(async () => service.close());

const explainOperation = ({ answer }: { readonly answer: { readonly operation: string } }) =>
  service.reeve.operations.explain(answer.operation);
const read = async (type: string, key: string) => (await service.reeve.read({ type, key })).snapshot;

/** Waits until an explanation of an operation is as it should be. */
function explained(
  taken: Parameters<typeof explainOperation>[0],
  check: (explanation: Explanation) => void,
  withinMs?: number,
): Promise<Explanation> {
  return until(async () => {
    const explanation = await explainOperation(taken);
    check(explanation);
    return explanation;
  }, withinMs);
}

function asEntity(node: ExplainedNode | undefined): ExplainedEntity {
  if (node?.kind !== 'entity') throw new Error(`no explained entity, but: ${JSON.stringify(node)}`);
  return node;
}

describe('an operation is explained on a real service (S5.4)', () => {
  it('whose call is made again by another worker: it keeps its age (S5.4)', async () => {
    shelf.hung.add('aged');
    const taken = await service.reeve.create(Kiln, 'aged', 'fire');
    const callOf = ({ entities }: Explanation) => asEntity(entities[0]).calls[0];
    const first = callOf(await explained(taken, (told) => expect(callOf(told)).toMatchObject({ state: 'running' })))!;
    expect(first).toMatchObject({ attempt: 1, worker: `${process.pid}@${hostname()}` });
    await service.stopWorker();
    await service.startWorker();
    const again = await explained(taken, (told) =>
      expect(callOf(told)).toMatchObject({ state: 'running', attempt: 2 }),
    );
    // Temporal counts from when this execution was queued, which the first one had already begun before.
    expect(callOf(again)!.since).toBeLessThanOrEqual(first.startedAt!);
    expect(callOf(again)!.startedAt).toBeGreaterThan(first.startedAt!);
    shelf.hung.delete('aged');
  });

  it('that waits for a resource which always fails: attempt, last error and next try (S5.4)', async () => {
    shelf.failures.set('hot', 1_000);
    const taken = await service.reeve.create(Kiln, 'hot', 'fire');
    const { operation, entities, starved, at } = await explained(taken, ({ entities: [kiln] }) =>
      expect(kiln).toMatchObject({ waits: [{ kind: 'attempt' }, {}] }),
    );
    expect(operation).toMatchObject({ kind: 'operation', name: 'fire Kiln/hot', outcome: 'running', hung: false });
    expect(entities).toMatchObject([
      {
        ...{ kind: 'entity', entity: 'Kiln/hot', state: 'Firing', settled: false, below: [] },
        events: [{ event: 'fire', operation: taken.answer.operation }],
        waits: [
          {
            ...{ kind: 'attempt', action: 'fire', attempt: 2, attempts: 5 },
            lastError: { code: 'shelf_full', message: 'no room for hot' },
          },
          { kind: 'timer', timer: 'deadline', event: 'giveUp' },
        ],
      },
    ]);
    const [next] = asEntity(entities[0]).waits;
    expect(next?.kind === 'attempt' && next.at - at).toBeGreaterThan(3_000_000);
    expect(starved).toEqual([]);
  });

  it('that waits for a reservation: its holder, and what that one waits for (S5.4)', async () => {
    await service.reeve.operations.result(await service.reeve.create(Account, 'busy', 'open'));
    const gate = shelf.hold('holder');
    const pondering = await service.reeve.create(Clerk, 'holder', 'ponder', { account: 'busy', lease: '10m' });
    await until(async () => expect((await read('Account', 'busy')).reservation).toBeDefined());
    const picking = await service.reeve.create(Clerk, 'picker', 'pick', { accounts: ['busy'] });
    const putting = await service.reeve.raise(Account, 'busy', 'put', { amount: 1 });
    const holder = {
      ...{ kind: 'entity', entity: 'Clerk/holder', state: 'Idle', settled: false, below: [] },
      events: [{ event: 'ponder', operation: pondering.answer.operation }],
      waits: [{ kind: 'action', action: 'ponder', awaits: [] }],
      calls: [{ call: 'shelf.put', state: 'running', attempt: 1, taskQueue: 'reeve' }],
    };
    const account = {
      ...{ kind: 'entity', entity: 'Account/busy', below: [holder] },
      waits: [
        { kind: 'reserved', by: 'Clerk/holder', operation: pondering.answer.operation },
        { kind: 'reserver', by: 'Clerk/picker', operation: picking.answer.operation },
        { kind: 'event', event: 'put', operation: putting.answer.operation, behind: 'the reservation by Clerk/holder' },
        { kind: 'timer', event: 'tick' },
      ],
    };
    await explained(putting, ({ entities }) => expect(entities).toMatchObject([account]));
    await explained(picking, ({ entities }) =>
      expect(entities).toMatchObject([
        {
          entity: 'Clerk/picker',
          waits: [{ kind: 'action', action: 'pick', awaits: [{ kind: 'reservation', on: 'Account/busy' }] }],
          below: [account],
        },
      ]),
    );
    gate.open();
    for (const taken of [pondering, picking, putting]) {
      expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    }
    const { operation, entities } = await explainOperation(putting);
    expect(operation).toMatchObject({ kind: 'ended', outcome: 'success' });
    expect(entities).toEqual([]);
  });

  it('that waits for a successor: the unmet part, and what the successor waits for (S5.4)', async () => {
    const gate = shelf.hold('slow');
    const taken = await service.reeve.create(Room, 'hall', 'furnish', { boxes: ['slow', 'quick'] });
    const box = {
      ...{ entity: 'Box/slow', state: 'Placing', below: [] },
      waits: [{ kind: 'action', action: 'put', automatic: true, attempt: 1, attempts: 4 }],
      calls: [{ call: 'shelf.put', state: 'running' }],
    };
    const room = {
      ...{ kind: 'entity', entity: 'Room/hall', state: 'Waiting', settled: false, below: [box] },
      waits: [
        {
          ...{ kind: 'subscription', event: 'boxesPlaced' },
          unmet: [{ pattern: 'all Box in Placed', successors: [{ entity: 'Box/slow', is: 'pending' }] }],
        },
        { kind: 'subscription', event: 'boxLost' },
      ],
    };
    await explained(taken, ({ entities }) => {
      expect(entities).toHaveLength(1);
      // A box that has settled may be asked for by `any`, but it has nothing more to say.
      expect(entities).toMatchObject([room]);
    });
    expect((await service.reeve.explain({ type: 'Room', key: 'hall' })).entities).toMatchObject([room]);
    gate.open();
    expect((await service.reeve.operations.result(taken)).outcome).toBe('success');
    const rests = await service.reeve.explain({ type: 'Box', key: 'slow' });
    expect(rests.entities).toMatchObject([{ state: 'Placed', settled: true, waits: [], calls: [] }]);
    // Also at rest, it shows who has run it.
    expect(rests.lastTask).toEqual({ at: expect.any(Number), worker: `${process.pid}@${hostname()}` });
  });

  it('that is not there is rejected, and so is an entity (S5.4)', async () => {
    await expect(explainOperation({ answer: { operation: 'nobody' } })).rejects.toMatchObject({ code: 'absent' });
    await expect(service.reeve.explain({ type: 'Kiln', key: 'none' })).rejects.toMatchObject({ code: 'absent' });
  });

  it('whose participant was terminated by hand: nobody looks for it in vain (S5.4)', async () => {
    const gate = shelf.hold('gone');
    const taken = await service.reeve.create(Room, 'attic', 'furnish', { boxes: ['gone'] });
    await explained(taken, ({ entities: [attic] }) => expect(asEntity(attic).below).toHaveLength(1));
    // It is on its way when its parent says that it waits for it.
    await until(() => service.environment.client.workflow.getHandle('Box/gone').terminate());
    await explained(taken, ({ entities: [attic] }) =>
      expect(asEntity(attic).below).toMatchObject([{ kind: 'unread', entity: 'Box/gone', reason: 'ended' }]),
    );
    gate.open();
  });

  it('that waits for a worker: the task queue, and what it has shown before (S5.4)', async () => {
    shelf.failures.set('cold', 1_000);
    const taken = await service.reeve.create(Pottery, 'clay', 'found', { kilns: ['cold'] });
    const { operation } = taken.answer;
    await explained(taken, ({ entities: [pottery] }) =>
      expect(asEntity(asEntity(pottery).below[0]).waits).toMatchObject([{ kind: 'attempt' }, {}]),
    );
    await service.stopWorker();
    try {
      const { workflow } = service.environment.client;
      await workflow.getHandle('Pottery/clay').signal('fired');
      // It waits for its last worker first, and then for any.
      const asItShould = ({ starved: [queue], entities: [pottery] }: Explanation) => {
        expect(queue).toMatchObject({ taskQueue: 'reeve', work: 'steps', lastAskedAt: expect.any(Number) });
        expect(queue?.waiting).toBeGreaterThan(0);
        expect(pottery).toMatchObject({ task: { attempt: 1, started: false } });
      };
      const explanation = await explained(taken, asItShould, 60_000);
      expect(explanation.operation).toMatchObject({ kind: 'unread', id: operation, outcome: 'running' });
      expect(explanation.entities).toMatchObject([
        { kind: 'unread', entity: 'Pottery/clay', reason: 'no_answer', state: 'Waiting', operation },
        { kind: 'unread', entity: 'Kiln/cold', reason: 'no_answer', state: 'Firing', operation },
      ]);
      expect(explanation.stuck).toMatchObject([{ who: 'Pottery/clay', reason: 'no_worker' }]);
      expect(await service.reeve.stuck('Pottery/clay')).toMatchObject({ reason: 'no_worker' });
      // Nobody waits for an answer that no worker can give.
      const read = () => service.reeve.read({ type: 'Pottery', key: 'clay' });
      await until(() => expect(read()).rejects.toThrow('There is no answer from Pottery/clay: no worker serves it.'));
    } finally {
      await service.startWorker();
    }
    await explained(taken, ({ starved }) => expect(starved).toEqual([]));
  });

  it('whose task a worker has taken and not completed: which one, and that nothing has failed (S5.4)', async () => {
    shelf.failures.set('iced', 1_000);
    const taken = await service.reeve.create(Kiln, 'iced', 'fire');
    await explained(taken, ({ entities: [kiln] }) => expect(asEntity(kiln).waits).toMatchObject([{ attempt: 2 }, {}]));
    await service.stopWorker();
    try {
      const { namespace } = service;
      const { workflow, workflowService, connection } = service.environment.client;
      const poll = { namespace, taskQueue: { name: 'reeve' }, identity: '7@frozen' };
      await workflow.getHandle('Kiln/iced').signal('fired');
      await until(async () => {
        const { workflowExecution: execution } = await connection.withDeadline(Date.now() + 30_000, () =>
          workflowService.pollWorkflowTaskQueue(poll),
        );
        expect(execution?.workflowId).toBe('Kiln/iced');
      }, 60_000);
      const { entities, stuck } = await until(async () => {
        const explanation = await service.reeve.explain({ type: 'Kiln', key: 'iced' });
        expect(explanation.stuck).toHaveLength(1);
        return explanation;
      }, 60_000);
      expect(entities).toMatchObject([{ kind: 'unread', reason: 'no_answer', task: { worker: '7@frozen' } }]);
      const message = 'no worker has finished its task within 10 s: 7@frozen is busy, frozen or gone';
      expect(stuck).toMatchObject([{ who: 'Kiln/iced', reason: 'no_worker', message }]);
    } finally {
      await service.startWorker();
    }
  });

  it('whose worker is frozen: it serves nobody, although its last poll still counts (S5.4)', async () => {
    const { client } = service;
    // One of them has polled in another test.
    const identities = [`${process.pid}@${hostname()}`, '7@frozen'];
    const stopped = identities.map((identity) => ({ identity, serves: (queue: string) => queue === 'reeve' }));
    const reeve = new ReeveClient({ client, entities: [Kiln], frozen: () => Promise.resolve(stopped) });
    expect(await service.reeve.workers()).toMatchObject({ frozen: [] });
    expect(await reeve.workers()).toMatchObject({ alive: 0, frozen: identities, builds: [] });
    expect(await reeve.unserved([])).toMatchObject([
      { taskQueue: 'reeve', work: 'steps', workers: 0, frozen: identities },
      { taskQueue: 'reeve', work: 'calls', workers: 0, frozen: identities },
    ]);
  });

  it('whose entity has not begun is found by its task queue, which no worker has ever polled (S5.4)', async () => {
    const { client } = service;
    const far = new ReeveClient({ client, entities: [Kiln], taskQueue: 'docks' });
    await far.create(Kiln, 'far', 'fire');
    await until(async () => {
      // Every service lists it, whatever task queue it uses itself.
      expect(await service.reeve.untaken(['Kiln'], 10)).toMatchObject([
        {
          workflow: { id: 'Kiln/far', type: 'Kiln', taskQueue: 'docks' },
          stuck: {
            reason: 'no_worker',
            message: "its first task waits, and no worker serves the task queue 'docks'",
            whatToDo: "Start a worker that serves the task queue 'docks'. It then continues automatically.",
          },
        },
      ]);
    }, 30_000);
    expect(await service.reeve.untaken(['Box'], 10)).toEqual([]);
    expect(await service.reeve.untaken(undefined, 10)).toHaveLength(1);
    await client.workflow.getHandle('Kiln/far').terminate();
  });

  it('whose history does not fit the code: why, what to do, and that no worker is missing (S5.4)', async () => {
    shelf.failures.set('bent', 1_000);
    const taken = await service.reeve.create(Kiln, 'bent', 'fire');
    await explained(taken, ({ entities: [kiln] }) => expect(asEntity(kiln).waits).toMatchObject([{ attempt: 2 }, {}]));
    await service.replaceWorker('entities/bent-workflows.ts');
    const before = Date.now();
    const { workflow } = service.environment.client;
    await workflow.getHandle('Kiln/bent').signal('fire');
    const { entities, starved } = await explained(taken, ({ entities: [kiln] }) =>
      expect(kiln).toMatchObject({ reason: 'failed', task: { failure: expect.stringContaining('ondeterminism') } }),
    );
    const remedy = expect.stringMatching(
      /^Its history does not replay .* 'temporal workflow terminate -w Kiln\/bent', .*: 'reeve create Kiln\/bent'\.$/,
    );
    expect(entities).toMatchObject([
      {
        ...{ kind: 'unread', entity: 'Kiln/bent', state: 'Firing', reason: 'failed' },
        task: { cause: 'nondeterminism', remedy },
      },
    ]);
    const [kiln] = entities;
    expect(kiln?.kind === 'unread' && (kiln.task?.since ?? 0)).toBeGreaterThanOrEqual(before - 1_000);
    expect(starved).toEqual([]);

    // As the remedy says: it is given up, and made anew.
    await workflow.getHandle('Kiln/bent').terminate();
    const again = await service.reeve.create(Kiln, 'bent', 'fire');
    expect((await service.reeve.operations.result(again)).outcome).toBe('success');
  });

  it('whose type no worker knows: which, where, what to do, and that no worker is missing (S5.4)', async () => {
    await service.replaceWorker('entities/pottery-workflows.ts');
    await service.reeve.create(Kiln, 'unheard', 'fire');
    const { entities, starved } = await until(async () => {
      const explanation = await service.reeve.explain({ type: 'Kiln', key: 'unheard' });
      expect(explanation.entities).toMatchObject([{ kind: 'unread', reason: 'failed' }]);
      return explanation;
    });
    const again = await until(async () => {
      const { stuck } = await service.reeve.explain({ type: 'Kiln', key: 'unheard' });
      expect(stuck).toHaveLength(1);
      return stuck;
    });
    expect(again).toMatchObject([
      { who: 'Kiln/unheard', reason: 'task_fails', whatToDo: expect.stringContaining("has the type 'Kiln'") },
    ]);
    expect(entities).toMatchObject([
      {
        task: {
          cause: 'unknown_type',
          failure: expect.stringContaining("has no entity type 'Kiln'. It has: Pottery."),
          remedy:
            "No worker of the task queue 'reeve' that took it has the type 'Kiln': start one that does, and end those that do not.",
        },
      },
    ]);
    expect(starved).toEqual([]);
  });

  it('whose own task fails: why, and what its entities have shown (S5.4)', async () => {
    await service.replaceWorker('entities/broken-operation-workflows.ts');
    shelf.failures.set('lone', 1_000);
    const taken = await service.reeve.create(Kiln, 'lone', 'fire');
    const { operation, entities, starved } = await explained(taken, (explanation) => {
      expect(explanation.operation).toMatchObject({ kind: 'unread', task: { cause: 'code' } });
      expect(explanation.entities).toMatchObject([{ kind: 'entity', waits: [{ kind: 'attempt' }, {}] }]);
    });
    expect(operation).toMatchObject({
      task: { failure: 'operations are broken', remedy: expect.stringMatching(/^Fix the code that throws, /) },
    });
    expect(entities).toMatchObject([{ entity: 'Kiln/lone', state: 'Firing' }]);
    expect(starved).toEqual([]);
  });
});
