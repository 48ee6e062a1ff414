import { describe, expect, it } from 'vitest';
import { idFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import type { AnyImplementation } from '../../src/definition/actions.js';
import { CallFailed, implementActions } from '../../src/definition/index.js';
import type { Answer } from '../../src/protocol/answer.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import { LOSE_EVENT, RETRY_EVENT } from '../../src/protocol/names.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import type { StoreRecord } from '../../src/protocol/records.js';
import { ResourceError } from '../../src/protocol/errors.js';
import { clerk } from '../entities/bank-workflows.js';
import { job } from '../entities/job-actions.js';
import { Job, machines } from '../entities/job.js';
import { box, room } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const place: RaiseRequest = { id: 'place-id', event: 'place', params: { label: 'x' } };
const creation = { kind: 'create', key: 'k', request: place } as const;
const place3 = { output: { place: 3 }, restarts: 0 };

/** A box that is being placed: its call is under way for so long that an operation follows it. */
async function placing(): Promise<LoneEntity> {
  const entity = new LoneEntity(box, creation);
  await entity.pass(1_000);
  return entity;
}

async function placed(): Promise<LoneEntity> {
  const entity = await placing();
  entity.calls.shift()!.answer(place3);
  await entity.calm();
  return entity;
}

/** A job that is under way. */
async function working(implementation: AnyImplementation = job): Promise<LoneEntity> {
  const entity = new LoneEntity(implementation, {
    kind: 'create',
    key: 'k',
    request: { id: 'start-id', event: 'start' },
  });
  await entity.pass(1_000);
  expect(entity.calls).toHaveLength(1);
  return entity;
}

/** A room that waits for its boxes. */
async function furnishing(...boxes: readonly string[]): Promise<LoneEntity> {
  const request = { id: 'furnish-id', event: 'furnish', params: { boxes } };
  const entity = new LoneEntity(room, { kind: 'create', key: 'k', request });
  await entity.calm();
  return entity;
}

const relabel = (id: string, label = id): RaiseRequest => ({ id, event: 'relabel', params: { label } });
const refuses = (entity: LoneEntity, ...requests: readonly RaiseRequest[]) => {
  const refusal = entity.handlers!.refuse(requests);
  return refusal?.kind === 'rejected'
    ? refusal.answers.map((answer) => (answer.status === 'rejected' ? answer.rejection.code : answer.status))
    : refusal;
};
const offered = (records: readonly StoreRecord[]) => records.map(({ kind }) => kind);

describe('a batch of events', () => {
  it('is refused as a whole only when each of its events is, and changes nothing (S2.2, S4.6)', async () => {
    const entity = await placed();
    const { snapshot } = entity;
    expect(refuses(entity, { ...place, id: 'a' }, { id: 'b', event: 'paint' })).toEqual([
      'already_done',
      'unknown_event',
    ]);
    expect(refuses(entity, { ...place, id: 'a' }, relabel('b'))).toBeUndefined();
    expect(refuses(entity, { id: 'lost', event: LOSE_EVENT, params: { successor: 'Box/b' } })).toEqual([
      'no_such_successor',
    ]);
    expect(refuses(entity, { id: 'again', event: RETRY_EVENT })).toEqual(['not_exhausted']);
    expect(entity.snapshot).toBe(snapshot);
  });

  it('is not refused while one of it would wait, or was raised before (S2.3, S2.5)', async () => {
    const busy = await placing();
    expect(refuses(busy, relabel('another'))).toBeUndefined();
    // It is rejected whatever comes of the action.
    expect(refuses(busy, { ...place, id: 'another' })).toEqual(['already_in_progress']);
    const entity = await placed();
    expect(refuses(entity, { ...place, params: { label: 'other' } }, { id: 'b', event: 'paint' })).toBeUndefined();
    const reserve = { kind: 'reserve', wait: 'w', operation: 'op', leaseMs: 1_000, hold: 'action', until: 9_000 };
    await entity.hear({ ...reserve, from: { type: 'Clerk', key: 'c', life: 'l' } });
    expect(entity.snapshot.reservation).toMatchObject({ wait: 'w' });
    expect(refuses(entity, { ...place, id: 'another' })).toBeUndefined();
  });

  it('is refused to those who may raise nothing of it, whatever happens here (S6.5)', async () => {
    const busy = await placing();
    const actor = { subject: 'eve', tenant: 'acme', roles: [] };
    expect(refuses(busy, { ...relabel('a'), actor }, { ...relabel('b'), actor })).toEqual([
      'another_tenant',
      'another_tenant',
    ]);
    expect(refuses(busy, { ...relabel('a'), actor }, relabel('b'))).toBeUndefined();
    const entity = await placed();
    expect(refuses(entity, { ...relabel('a'), actor }, { id: 'b', event: 'paint' })).toEqual([
      'another_tenant',
      'unknown_event',
    ]);
  });

  it('may name a successor that is there as lost (S4.4)', async () => {
    const entity = await furnishing('a');
    expect(refuses(entity, { id: 'lost', event: LOSE_EVENT, params: { successor: 'Box/a' } })).toBeUndefined();
    const lost = { id: 'lost', event: LOSE_EVENT, params: { successor: 'Box/a' } };
    expect(refuses(entity, { ...lost, params: { successor: 'Box/b' } }, lost)).toBeUndefined();
  });

  it('is decided in order, each event in the state that the one before it left (S4.6)', async () => {
    const entity = await placed();
    const answers = await entity.raise(relabel('a'), { ...place, id: 'b' }, relabel('c'), relabel('a'));
    expect(answers).toMatchObject([
      { status: 'accepted', operation: 'a', outcome: { state: 'Placed', version: 3 } },
      { status: 'rejected', rejection: { code: 'already_done' } },
      { status: 'accepted', operation: 'c', outcome: { version: 4 } },
      { status: 'accepted', operation: 'a', outcome: { version: 3 }, repeated: true },
    ]);
    expect(entity.snapshot.properties).toMatchObject({ label: 'c' });
    const [conflict] = await entity.raise(relabel('a', 'other'));
    expect(conflict).toMatchObject({ status: 'rejected', rejection: { code: 'request_conflict' } });
    expect(conflict).not.toHaveProperty('outcome');
    expect(entity.opened.map(({ id }) => id)).toEqual(['place-id']);
  });

  it('is carried out before anything is shown of it (S4.6, reception.3)', async () => {
    const entity = await placed();
    const shown = entity.shown.length;
    await entity.raise(relabel('a'), relabel('b'), relabel('c'));
    expect(entity.shown.slice(shown)).toMatchObject([{ properties: { label: 'c' }, version: 5 }]);
  });

  it('has its answers when what ends within the task has ended (S4.6, reception.1)', async () => {
    const entity = await placed();
    let answers: readonly Answer[] | undefined;
    void entity.handlers!.raise([{ id: 'look', event: 'look' }, relabel('after')]).then((given) => (answers = given));
    await entity.calm();
    expect(answers).toBeUndefined();
    entity.calls.shift()!.answer(place3);
    await entity.calm();
    expect(answers).toMatchObject([
      { status: 'accepted', outcome: { version: 3 } },
      { status: 'accepted', outcome: { version: 4 } },
    ]);
    expect(entity.snapshot).toMatchObject({ properties: { place: 3, label: 'after' } });
  });

  it('waits for an action that ends within the task, as if it had come later (S2.3, reception.1)', async () => {
    const entity = await placed();
    const answers: (readonly Answer[])[] = [];
    for (const batch of [[{ id: 'look', event: 'look' }], [relabel('after')]]) {
      void entity.handlers!.raise(batch).then((given) => answers.push(given));
    }
    await entity.calm();
    expect([answers, entity.snapshot.waiting]).toEqual([[], []]);
    entity.calls.shift()!.answer(place3);
    await entity.calm();
    expect(answers.flat()).toMatchObject([
      { status: 'accepted', operation: 'look', outcome: { version: 3 } },
      { status: 'accepted', operation: 'after', outcome: { version: 4 } },
    ]);
  });

  it('has its answers before an action has ended that goes on; what comes then waits (S2.3, reception.1)', async () => {
    const entity = await working();
    expect(await entity.raise({ id: 'again', event: 'start' }, { id: 'stop-id', event: 'stop' })).toEqual([
      { status: 'waiting', operation: 'again', behind: 'work' },
      { status: 'waiting', operation: 'stop-id', behind: 'the abort of work' },
    ]);
    const idle = new LoneEntity(job);
    expect(await idle.raise({ id: 'start-id', event: 'start' })).toEqual([
      { status: 'accepted', operation: 'start-id', unfollowed: true },
    ]);
  });
});

describe('an answer that is held back', () => {
  /** A job that has been done once. */
  async function done(): Promise<LoneEntity> {
    const entity = await working();
    entity.calls.shift()!.answer({ output: {}, restarts: 0 });
    await entity.calm();
    expect(entity.snapshot.state).toBe('Done');
    return entity;
  }

  function raiseHeld(entity: LoneEntity, ...requests: readonly RaiseRequest[]) {
    const given: { answers?: readonly Answer[] } = {};
    void entity.handlers!.raise(requests).then((answers) => (given.answers = answers));
    return given;
  }

  const again: RaiseRequest = { id: 'again', event: 'start', holdMs: 2_000 };

  it('tells the outcome, and nothing else is needed to follow the event (S4.7, reception.1)', async () => {
    const entity = await done();
    const shown = entity.shown.length;
    const given = raiseHeld(entity, again);
    await entity.pass(1_999);
    expect([given.answers, entity.shown.length]).toEqual([undefined, shown]);
    entity.calls.shift()!.answer({ output: {}, restarts: 0 });
    await entity.calm();
    expect(given.answers).toMatchObject([{ status: 'accepted', operation: 'again', outcome: { state: 'Done' } }]);
    expect(entity.opened.map(({ id }) => id)).toEqual(['start-id']);
    expect(entity.told.map(({ operation }) => operation)).toEqual(['start-id']);
    expect(entity.offered).toContainEqual(
      expect.objectContaining({ kind: 'event', operation: 'again', ends: { outcome: 'success' } }),
    );
    await entity.pass(1);
    expect(entity.opened).toHaveLength(1);
  });

  it('is given after its time, and the operation is followed from then on (S4.7, reception.1)', async () => {
    const entity = await done();
    const given = raiseHeld(entity, again);
    await entity.pass(2_000);
    expect(given.answers).toEqual([{ status: 'accepted', operation: 'again' }]);
    expect(entity.opened.map(({ id }) => id)).toEqual(['start-id', 'again']);
    expect(entity.shown.at(-1)).toMatchObject({ state: 'Working', operation: { id: 'again', open: true } });
    entity.calls.shift()!.answer({ output: {}, restarts: 0 });
    await entity.calm();
    expect(entity.told.at(-1)).toMatchObject({ operation: 'again', message: { kind: 'ended', engagement: 'again' } });
  });

  it('is given at once when another event takes the place of its own: others follow it then (S4.7, S4.8)', async () => {
    const entity = await done();
    const given = raiseHeld(entity, again);
    await entity.calm();
    const stopped = raiseHeld(entity, { id: 'stop-id', event: 'stop', holdMs: 2_000 });
    await entity.calm();
    expect(given.answers).toEqual([{ status: 'accepted', operation: 'again' }]);
    expect(stopped.answers).toEqual([{ status: 'waiting', operation: 'stop-id', behind: 'the abort of work' }]);
    expect(entity.snapshot.state).toBe('Stopped');
    const ended = entity.told.filter(({ message }) => message.kind === 'ended').map(({ operation }) => operation);
    expect(ended).toEqual(['start-id', 'stop-id', 'again']);
  });

  it('is given as soon as the action has failed and is to be tried again (S4.7, S3.5)', async () => {
    const entity = await done();
    const given = raiseHeld(entity, again);
    await entity.calm();
    entity.calls.shift()!.fail(new ResourceError('refused', 'not now'));
    await entity.calm();
    expect(given.answers).toEqual([{ status: 'accepted', operation: 'again' }]);
    expect(entity.opened.at(-1)).toMatchObject({ id: 'again' });
  });

  it('keeps no others waiting: those that come together are answered at once (S4.6, reception.1)', async () => {
    const entity = await done();
    const given = raiseHeld(entity, again, { ...again, id: 'third' });
    await entity.calm();
    expect(given.answers).toMatchObject([{ status: 'accepted' }, { status: 'waiting' }]);
    await entity.pass(1_000);
    expect(entity.opened.map(({ id }) => id)).toEqual(['start-id', 'third', 'again']);
  });
});

describe('the outcome of an event that no operation follows yet', () => {
  it('is told by the entity as soon as it is there (S4.7, following.2)', async () => {
    const entity = new LoneEntity(box, creation);
    await entity.calm();
    const told: unknown[] = [];
    expect(entity.handlers!.tells('place-id')).toBe(true);
    void entity.handlers!.outcome('place-id').then((outcome) => told.push(outcome));
    await entity.pass(999);
    expect(told).toEqual([]);
    entity.calls.shift()!.answer(place3);
    await entity.calm();
    expect(told).toMatchObject([{ state: 'Placed', version: 2 }]);
    expect(entity.handlers!.tells('place-id')).toBe(true);
    expect(await entity.handlers!.outcome('place-id')).toMatchObject({ state: 'Placed' });
    expect(entity.opened).toEqual([]);
  });

  it('is not told by the entity once an operation follows it (S4.7, following.2)', async () => {
    const entity = new LoneEntity(box, creation);
    await entity.calm();
    const told: unknown[] = [];
    void entity.handlers!.outcome('place-id').then((outcome) => told.push(outcome));
    await entity.pass(1_000);
    expect([told, entity.handlers!.tells('place-id')]).toEqual([[undefined], false]);
    expect(entity.opened.map(({ id }) => id)).toEqual(['place-id']);
    entity.calls.shift()!.answer(place3);
    await entity.calm();
    expect(entity.handlers!.tells('place-id')).toBe(false);
  });

  it('is not told by an entity that has never heard of the event (S4.7)', async () => {
    const entity = await placed();
    expect(entity.handlers!.tells('another')).toBe(false);
  });
});

describe('the call of a resource', () => {
  it('opens the operation after a moment, since it outlasts the task; an inline one does not (S4.1, following.2)', async () => {
    const entity = new LoneEntity(box, creation);
    await entity.pass(999);
    expect([entity.opened, entity.shown]).toEqual([[], []]);
    await entity.pass(1);
    expect(entity.opened.map(({ id }) => id)).toEqual(['place-id']);
    expect(entity.shown).toMatchObject([{ state: 'Placing', operation: { id: 'place-id', open: true } }]);
    const before = entity.opened.length;
    entity.calls.shift()!.answer(place3);
    await entity.calm();
    entity.handlers!.signal('look', undefined);
    await entity.calm();
    expect(entity.calls).toMatchObject([{ activity: 'shelf.look' }]);
    expect(entity.opened).toHaveLength(before);
  });

  it('counts for its event how often a worker was lost, and for no other (S5.1)', async () => {
    const entity = await placing();
    entity.calls.shift()!.answer({ ...place3, restarts: 2 });
    await entity.calm();
    const ended = entity.told.find(({ message }) => message.kind === 'ended');
    expect(ended).toMatchObject({ message: { engagement: 'place-id', restarts: 2 } });
    const quiet = await placed();
    expect(quiet.told.find(({ message }) => message.kind === 'ended')?.message).not.toHaveProperty('restarts');
  });

  it('counts that too for a call that fails then (S5.1)', async () => {
    const entity = await placing();
    entity.calls.shift()!.fail(new CallFailed('shelf.put', 'full', 'the shelf is full', 2));
    await entity.calm();
    await entity.pass(60_000);
    entity.calls.shift()!.answer({ ...place3, restarts: 1 });
    await entity.calm();
    const ended = entity.told.find(({ message }) => message.kind === 'ended');
    expect(ended).toMatchObject({ message: { engagement: 'place-id', restarts: 3 } });
  });

  it('fails the action, which is tried again after its delay (S3.2, S3.5)', async () => {
    const entity = await placing();
    const [first] = entity.calls;
    entity.calls.shift()!.fail(new ResourceError('shelf_full', 'no room'));
    await entity.calm();
    expect(entity.snapshot).toMatchObject({
      state: 'Placing',
      lastError: { code: 'shelf_full' },
      nextAttemptAt: 2_100,
    });
    await entity.pass(99);
    expect(entity.calls).toEqual([]);
    await entity.pass(1);
    expect(entity.calls).toMatchObject([{ idempotencyKey: first!.idempotencyKey }]);
  });

  it('is cancelled when the action is aborted, of which nothing takes effect (S3.2)', async () => {
    const entity = await working();
    await entity.raise({ id: 'stop-id', event: 'stop' });
    expect(entity.calls).toEqual([]);
    expect(entity.snapshot).toMatchObject({ state: 'Stopped', properties: { runs: 0 } });
    expect(entity.snapshot.lastError).toBeUndefined();
  });
});

describe('an action that was aborted', () => {
  it('calls nothing any more, whatever it makes of that (S3.2)', async () => {
    const failures: unknown[] = [];
    const stubborn = implementActions(Job, {
      ...job.actions,
      work: async (app) => {
        while (failures.length < 3) {
          await app.call(machines.work, { on: app.key }).catch((thrown: unknown) => failures.push(thrown));
        }
        return app.goTo('Done');
      },
    });
    const entity = await working(stubborn);
    await entity.raise({ id: 'stop-id', event: 'stop' });
    expect(failures).toMatchObject([{ message: 'aborted' }, { code: 'aborted' }, { code: 'aborted' }]);
    expect(entity.calls).toEqual([]);
    expect(entity.snapshot.state).toBe('Stopped');
  });
});

describe('an action that closes a circle of waiting by a reservation', () => {
  const swap = { id: 'swap-id', event: 'swap', params: { other: 'z' } };
  const refuse = async (entity: LoneEntity) => {
    const { wait } = entity.snapshot.running!.awaits![0]!;
    const initiator = { type: 'Clerk', key: 'k', life: 'life-1' };
    await entity.hear({
      kind: 'probe',
      initiator,
      wait,
      round: 0,
      path: [{ on: 'Clerk/k', kind: 'event', id: 'swap-id' }],
    });
  };

  it('is put off, and fails once it was put off too often (S3.6, S3.8, postpone.2)', async () => {
    const entity = new LoneEntity(clerk, { kind: 'create', key: 'k' });
    await entity.raise(swap);
    for (let round = 0; round < 5; round++) {
      await refuse(entity);
      expect(entity.snapshot.postponed).toMatchObject({ running: { action: 'swap', restarts: round + 1 } });
      await entity.pass(entity.snapshot.postponed!.at - entity.now);
    }
    await refuse(entity);
    expect(entity.snapshot.postponed).toBeUndefined();
    expect(entity.snapshot).toMatchObject({ state: 'Idle', lastError: { code: 'deadlock' } });
  });

  it('fails at once where it waits for an event (S3.8)', async () => {
    const entity = new LoneEntity(clerk, { kind: 'create', key: 'k' });
    await entity.raise({ ...swap, event: 'ask', params: { other: 'z', event: 'nod' } });
    await refuse(entity);
    expect(entity.snapshot.postponed).toBeUndefined();
    expect(entity.snapshot.lastError).toMatchObject({ code: 'deadlock' });
  });
});

describe('what an entity shows', () => {
  it('is told to the store when it comes to a wait, once for each version (S5.2)', async () => {
    const entity = await placed();
    const records = entity.offered.splice(0);
    expect(offered(records).filter((kind) => kind === 'transition')).toHaveLength(2);
    expect(records.filter(({ kind }) => kind === 'entity')).toMatchObject([
      { version: 1, state: 'Placing', operation: 'place-id' },
      { version: 2, state: 'Placed', settled: true },
    ]);
    entity.handlers!.signal('paint', undefined);
    await entity.calm();
    // It is of the same version, and only what was dropped is news.
    expect(offered(entity.offered)).toEqual(['decision']);
    expect(entity.shown.at(-1)?.dropped).toMatchObject({ signal: 'paint' });
  });

  it('is told to the store when an action has begun, or another operation goes on (S5.2)', async () => {
    const entity = new LoneEntity(clerk, { kind: 'create', key: 'k' });
    await entity.calm();
    entity.offered.splice(0);
    await entity.raise({ id: 'look', event: 'look', params: { account: 'a' } });
    expect(offered(entity.offered)).toEqual(['event', 'entity']);
    expect(entity.offered.at(-1)).toMatchObject({ operation: 'look', settled: false });
  });

  it('is not told to the store again when another attempt has begun, which changes nothing that is told (S5.2)', async () => {
    const entity = await placing();
    entity.calls.shift()!.fail(new ResourceError('shelf_full', 'no room'));
    await entity.calm();
    const told = offered(entity.offered).filter((kind) => kind === 'entity').length;
    await entity.pass(100);
    expect(offered(entity.offered).filter((kind) => kind === 'entity')).toHaveLength(told);
  });

  it('is not told again by a new run that goes on as it was (S5.2, Q1)', async () => {
    const { snapshot } = await placed();
    const next = new LoneEntity(box, { kind: 'continue', snapshot, at: 0 });
    await next.calm();
    expect(offered(next.offered)).toEqual([]);
    expect(next.shown).toEqual([snapshot]);
  });
});

describe('an entity that waits for one which is deleted by now', () => {
  it('hears what that would have said, if it has known the request (S1.3, S2.5)', async () => {
    const gone = await placed();
    const id = `Room/k#life-1/4/empty/remove/1.${idFingerprint('Box/k')}@0000000001000`;
    await gone.raise({
      id,
      event: 'remove',
      operation: 'op',
      from: { type: 'Room', key: 'k', life: 'x', judges: true },
    });
    expect(gone.end).toMatchObject({ kind: 'closed' });
    const room = await furnishing('k');
    const [successor] = room.snapshot.successors;
    const outcome = { state: 'Placed', version: 2, health: 'normal', waiting: false };
    const from = { type: 'Box', key: 'k', life: 'life-1' };
    await room.hear({ kind: 'report', from, toLife: 'life-1', version: 2, outcome, ended: [successor!.request] });
    expect(room.snapshot.state).toBe('Ready');
    room.absent.add('Box/k');
    room.lastLives.set('Box/k', (gone.end as { readonly snapshot: Snapshot }).snapshot);
    await room.raise({ id: 'empty-id', event: 'empty' });
    expect(room.snapshot.state).toBe('Deleted');
    expect(room.snapshot.successors).toMatchObject([{ event: 'settled', request: id, outcome: { state: 'Deleted' } }]);
  });
});

describe('an entity whose world fails', () => {
  it('fails with it, since its workflow was ended (outbox.2)', async () => {
    const entity = await placing();
    entity.broken.add('tellOperation');
    entity.calls.shift()!.answer(place3);
    await entity.calm();
    entity.handlers!.signal('paint', undefined);
    await entity.calm();
    expect(entity.failure).toMatchObject({ message: 'tellOperation is broken' });
  });
});

describe('an entity that goes on in a new run', () => {
  it('does so only at rest, with nothing under way (Q1)', async () => {
    const busy = await placing();
    busy.rollsOver = true;
    await busy.calm();
    expect(busy.end).toBeUndefined();
    busy.calls.shift()!.answer(place3);
    await busy.calm();
    expect(busy.end).toMatchObject({ kind: 'rollover', next: { snapshot: { state: 'Placed' } } });
    expect(busy.end).not.toHaveProperty('next.records');
    expect(busy.told.map(({ message }) => message.kind)).toEqual(['ended']);
  });

  it('hears what comes while it begins, and does at once what that allows (S3.6, Q1)', async () => {
    const entity = new LoneEntity(job);
    const reserve = { kind: 'reserve', wait: 'w', operation: 'op', leaseMs: 60_000, hold: 'action', until: 90_000 };
    await entity.hear({ ...reserve, from: { type: 'Clerk', key: 'c', life: 'l' } });
    expect(await entity.raise({ id: 'start-id', event: 'start' })).toMatchObject([{ status: 'waiting' }]);
    entity.rollsOver = true;
    await entity.calm();
    const { next } = entity.end as Extract<LoneEntity['end'], { kind: 'rollover' }>;
    const after = new LoneEntity(job, next);
    after.handlers!.message({ kind: 'release', wait: 'w' });
    await after.calm();
    expect(after.snapshot).toMatchObject({ state: 'Working', waiting: [] });
    expect(after.calls).toHaveLength(1);
  });

  it('tries the store again that was away, without an event (S5.2)', async () => {
    const entity = await placed();
    entity.storing = false;
    entity.rollsOver = true;
    await entity.calm();
    const { next } = entity.end as Extract<LoneEntity['end'], { kind: 'rollover' }>;
    const after = new LoneEntity(box, next);
    after.now = entity.now;
    await after.pass(1_999);
    expect(after.kept).toEqual([]);
    await after.pass(1);
    expect(offered(after.kept)).toContain('entity');
  });
});
