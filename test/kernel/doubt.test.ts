import { describe, expect, it } from 'vitest';
import { contentFingerprint } from '../../src/kernel/ledger/fingerprint.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { PastRequest } from '../../src/protocol/past-request.js';
import { timedUuid } from '../../src/protocol/request-id.js';
import { box } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const SIZES = { recent: 1, group: 0, block: 1, blocks: 1 };
const from = { type: 'Room', key: 'r', life: 'room-life', judges: false };
const relabel = (id: string, label = id): RaiseRequest => ({ id, event: 'relabel', params: { label } });
const raise = (request: RaiseRequest, by = from) =>
  ({ kind: 'raise', key: 'k', request: { ...request, operation: 'op', from: by } }) as const;
const fresh = (number: number, at = 10_000) => timedUuid(`00000000-0000-4000-8000-00000000000${number}`, at);

function pastOf(request: RaiseRequest, version = 4): PastRequest {
  const outcome = { state: 'Placed', version, health: 'normal', waiting: false } as const;
  const { id, event } = request;
  return {
    id,
    event,
    fingerprint: contentFingerprint(request),
    startedAt: 0,
    endedAt: 0,
    operation: id,
    life: 'life-1',
    outcome,
  };
}

/** A placed box that has forgotten requests with and without a time; the latest time is 10,000. */
async function forgetful(): Promise<LoneEntity> {
  const request = { id: fresh(0, 1), event: 'place', params: { label: 'x' } };
  const entity = new LoneEntity(box, { kind: 'create', key: 'k', request }, undefined, SIZES);
  await entity.calm();
  entity.calls[0]!.answer({ output: { place: 3 }, restarts: 0 });
  await entity.calm();
  for (const id of ['one', fresh(1), 'two', 'three', 'four']) {
    entity.past.set(id, pastOf(relabel(id)));
    await entity.raise(relabel(id));
  }
  expect(entity.snapshot.ledger.horizon).toEqual({ time: 10_000, untimed: true });
  entity.asked.splice(0);
  // Anything that has yet to be kept would answer.
  entity.rollsOver = true;
  await entity.calm();
  const { next } = entity.end as Extract<LoneEntity['end'], { kind: 'rollover' }>;
  const after = new LoneEntity(box, next, undefined, SIZES);
  for (const [id, past] of entity.past) after.past.set(id, past);
  await after.calm();
  return after;
}

describe('an event of which only the store knows whether it is new (S2.5)', () => {
  it('is asked for once for all of its batch, and decided in order (doubt.1)', async () => {
    const entity = await forgetful();
    const answers = await entity.raise(relabel('one'), relabel(fresh(2, 10_001)), relabel(fresh(1)));
    expect(entity.asked).toEqual([['one', fresh(1)]]);
    expect(answers).toMatchObject([
      { status: 'accepted', repeated: true, operation: 'one', outcome: { state: 'Placed', version: 4 } },
      { status: 'accepted', outcome: { state: 'Placed' } },
      { status: 'accepted', repeated: true, operation: fresh(1) },
    ]);
    expect(answers[1]).not.toHaveProperty('repeated');
    expect(entity.snapshot.properties).toMatchObject({ label: fresh(2, 10_001) });
  });

  it('runs when the store knows nothing of it, and is known from then on', async () => {
    const entity = await forgetful();
    const { version } = entity.snapshot;
    expect(await entity.raise(relabel('other'))).toMatchObject([
      { status: 'accepted', outcome: { version: version + 1 } },
    ]);
    expect(await entity.raise(relabel('other'))).toMatchObject([{ repeated: true, outcome: { version: version + 1 } }]);
    expect(entity.asked).toEqual([['other']]);
  });

  it('is an error with other content (admit.3)', async () => {
    const entity = await forgetful();
    const answers = await entity.raise(relabel('one', 'other label'));
    expect(answers).toMatchObject([{ status: 'rejected', rejection: { code: 'request_conflict' } }]);
  });

  it('is not refused before the store has been asked', async () => {
    const entity = await forgetful();
    const place = (id: string) => ({ id, event: 'place', params: { label: 'x' } });
    expect(entity.handlers!.refuse([place('one')])).toBeUndefined();
    expect(entity.handlers!.refuse([place(fresh(3, 10_001))])).toMatchObject({ kind: 'rejected' });
    expect(
      entity.handlers!.refuse([{ ...relabel('one'), actor: { subject: 'x', tenant: '*', roles: [] } }]),
    ).toMatchObject({
      answers: [{ rejection: { code: 'not_allowed' } }],
    });
    expect(entity.asked).toEqual([]);
  });

  it('is to be tried again while the store is unavailable, and others are not (doubt.4)', async () => {
    const entity = await forgetful();
    entity.storing = false;
    const answers = await entity.raise(relabel('one'), relabel(fresh(2, 10_001)), relabel('new'));
    expect(answers).toMatchObject([
      { status: 'rejected', rejection: { code: 'try_again', entity: 'Box/k', state: 'Placed' } },
      { status: 'accepted', outcome: { state: 'Placed' } },
      { status: 'rejected', rejection: { code: 'try_again' } },
    ]);
    expect(entity.asked).toHaveLength(1);
    entity.storing = true;
    expect(await entity.raise(relabel('one'))).toMatchObject([{ status: 'accepted', repeated: true }]);
  });

  it('waits, where an entity has sent it, and what that sends after it waits behind it; others go on (doubt.3, doubt.4)', async () => {
    const entity = await forgetful();
    entity.storing = false;
    await entity.hear(raise(relabel('new')));
    await entity.hear(raise(relabel(fresh(2, 10_001))));
    const other = { ...from, key: 'other' };
    await entity.hear(raise(relabel(fresh(3, 10_001)), other));
    expect(entity.snapshot.properties).toMatchObject({ label: fresh(3, 10_001) });
    expect(entity.snapshot.doubted).toHaveLength(2);
    await entity.hear({ kind: 'inquiry', operation: 'op', round: 1, engagements: ['new'], judgements: [] });
    expect(entity.told.filter(({ message }) => message.kind === 'unknown')).toEqual([]);

    // Also in the next run.
    entity.rollsOver = true;
    await entity.calm();
    const { next } = entity.end as Extract<LoneEntity['end'], { kind: 'rollover' }>;
    const after = new LoneEntity(box, next, undefined, SIZES);
    await after.calm();
    expect(after.asked).toEqual([['new']]);
    expect(after.snapshot).not.toHaveProperty('doubted');
    expect(after.snapshot.properties).toMatchObject({ label: fresh(2, 10_001) });
  });

  it('never begins when it is taken back meanwhile (S3.8, doubt.3)', async () => {
    const entity = await forgetful();
    const { label } = entity.snapshot.properties;
    entity.storing = false;
    await entity.hear(raise(relabel('new')));
    await entity.hear({ kind: 'withdraw', from, request: 'new' });
    entity.storing = true;
    entity.taken();
    await entity.pass(60_000);
    expect(entity.snapshot).not.toHaveProperty('doubted');
    expect(entity.snapshot.properties).toMatchObject({ label });
    expect(entity.taken()).toMatchObject([{ kind: 'report', outcome: { rejection: { code: 'withdrawn' } } }]);
  });

  it('is told to the entity that raises it again as it ended', async () => {
    const entity = await forgetful();
    entity.taken();
    await entity.hear(raise(relabel('one')));
    expect(entity.taken()).toMatchObject([{ kind: 'report', ended: ['one'], again: true, outcome: { version: 4 } }]);
  });
});

describe('an entity whose key may have had a life before (S1.3, S2.5, ledger.5)', () => {
  const place = (id: string) => ({ id, event: 'place', params: { label: 'x' }, operation: 'op', from });
  const born = async (id: string, prepare: (entity: LoneEntity) => void = () => undefined, again = false) => {
    const entity = new LoneEntity(box, { kind: 'create', key: 'k', request: place(id), ...(again && { again }) });
    prepare(entity);
    await entity.calm();
    return entity;
  };

  it('asks once, and for no id that is fresh', async () => {
    const entity = await born(fresh(1, 1_000));
    expect(entity.asked).toEqual([]);
    entity.calls[0]!.answer({ output: { place: 3 }, restarts: 0 });
    await entity.calm();
    await entity.raise(relabel('mine'));
    await entity.raise(relabel('mine too'));
    expect(entity.asked).toEqual([['mine']]);
    expect(entity.snapshot.ledger).not.toHaveProperty('unasked');
  });

  it('goes on asking where there was one', async () => {
    const entity = await born(fresh(1, 1_000), (each) => (each.earlierLives = true));
    entity.calls[0]!.answer({ output: { place: 3 }, restarts: 0 });
    await entity.calm();
    entity.past.set('theirs', pastOf(relabel('theirs')));
    await entity.raise(relabel('mine'));
    expect(await entity.raise(relabel('theirs'))).toMatchObject([{ repeated: true, outcome: { version: 4 } }]);
    expect(entity.asked).toEqual([['mine'], ['theirs']]);
  });

  it('does not come to be by a request that the earlier one has had, and says so', async () => {
    const entity = await born('place-id', (each) => each.past.set('place-id', pastOf(place('place-id'))));
    expect(entity.end).toMatchObject({ kind: 'refused', birth: { rejection: { code: 'request_repeated' } } });
    expect(entity.taken()).toMatchObject([{ kind: 'report', ended: ['place-id'], outcome: { version: 4 } }]);
  });

  it('comes to be while the store is unavailable, where nobody knows of an earlier life (S5.2)', async () => {
    const entity = await born('place-id', (each) => (each.storing = false));
    expect(entity.snapshot).toMatchObject({ state: 'Placing', engagements: [{ id: 'place-id' }] });
  });

  it('waits with its birth while the store is unavailable, where there was one', async () => {
    const entity = await born('place-id', (each) => (each.storing = false), true);
    expect([entity.handlers, entity.end]).toEqual([undefined, undefined]);
    entity.storing = true;
    await entity.pass(500);
    expect(entity.snapshot).toMatchObject({ state: 'Placing', engagements: [{ id: 'place-id' }] });
  });
});
