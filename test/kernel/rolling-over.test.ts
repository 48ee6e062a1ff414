import { describe, expect, it } from 'vitest';
import type { AnyImplementation } from '../../src/definition/actions.js';
import { explainEntity } from '../../src/kernel/explain/explain.js';
import { allowedEvents } from '../../src/kernel/rules/allowed-events.js';
import type { EntityInput } from '../../src/kernel/life/entity-life.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import type { Report } from '../../src/protocol/report.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import { Box } from '../entities/box.js';
import { job } from '../entities/job-actions.js';
import { box, room } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const place3 = { output: { place: 3 }, restarts: 0 };
const from = { type: 'Room', key: 'r', life: 'room-life', judges: false };
const read = (wait: string) => ({ kind: 'read', from: { type: 'Clerk', key: 'c', life: 'l' }, wait });
const relabel = (id: string, more: Partial<RaiseRequest> = {}): RaiseRequest => ({
  ...{ id, event: 'relabel', params: { label: id } },
  ...more,
});

type Next = Extract<EntityInput, { kind: 'continue' }>;

/** Lets nothing that is sent arrive until it is opened. */
function hold(entity: LoneEntity): () => void {
  let open!: () => void;
  entity.gate = new Promise((resolve) => (open = resolve));
  return open;
}

/** A box to which a message is under way, in a run that has become long. */
async function busyBox() {
  const request = { id: 'place-id', event: 'place', params: { label: 'x' } };
  const entity = new LoneEntity(box, { kind: 'create', key: 'k', request });
  await entity.pass(1_000);
  entity.calls.shift()!.answer(place3);
  await entity.calm();
  const open = hold(entity);
  await entity.hear(read('before'));
  expect(entity.taken()).toEqual([]);
  entity.rollsOver = true;
  await entity.calm();
  return { entity, open };
}

function nextOf({ end }: LoneEntity): Next {
  expect(end).toMatchObject({ kind: 'rollover', next: { kind: 'continue' } });
  return (end as { readonly next: Next }).next;
}

async function goOn(implementation: AnyImplementation, next: Next): Promise<LoneEntity> {
  const entity = new LoneEntity(implementation, JSON.parse(JSON.stringify(next)) as Next);
  await entity.calm();
  return entity;
}

const waits = (entity: LoneEntity) => entity.snapshot.waiting.map(({ id }) => id);

describe('a run that has become long', () => {
  it('ends when what is under way has ended, however much comes, and leaves that to the next one (Q1, run-end.1, outbox.4)', async () => {
    const { entity, open } = await busyBox();
    expect(entity.end).toBeUndefined();
    await entity.hear(read('while'));
    await entity.hear({ kind: 'raise', key: 'k', request: relabel('raised', { operation: 'op', from }) });
    expect(await entity.raise(relabel('one'), { id: 'two', event: 'paint' })).toEqual([
      { status: 'waiting', operation: 'one', behind: 'the next run' },
      { status: 'waiting', operation: 'two', behind: 'the next run' },
    ]);
    await entity.hear(read('last'));
    expect(waits(entity)).toEqual(['raised', 'one', 'two']);
    const { version } = entity.snapshot;
    open();
    await entity.calm();
    expect(entity.taken()).toMatchObject([{ kind: 'view', wait: 'before' }]);
    const next = nextOf(entity);
    expect(entity.snapshot.version).toBe(version);
    expect(next.unsent).toMatchObject([
      { kind: 'send', message: { kind: 'view', wait: 'while' } },
      { kind: 'open', operation: { id: 'one' } },
      { kind: 'open', operation: { id: 'two' } },
      { kind: 'send', message: { kind: 'view', wait: 'last' } },
    ]);

    const after = await goOn(box, next);
    expect(after.opened.map(({ id }) => id)).toEqual(['one', 'two']);
    const sent = after.taken();
    expect(sent.filter(({ kind }) => kind === 'view')).toMatchObject([{ wait: 'while' }, { wait: 'last' }]);
    expect(sent.filter(({ kind }) => kind === 'report')).toMatchObject([{ ended: ['raised'] }]);
    expect(after.told).toMatchObject([
      { operation: 'op', message: { kind: 'ended' } },
      { operation: 'one', message: { kind: 'ended' } },
      { operation: 'two', message: { outcome: { rejection: { code: 'unknown_event' } } } },
    ]);
    expect(after.snapshot).toMatchObject({ waiting: [], properties: { label: 'one' } });
    expect(after.snapshot).not.toHaveProperty('rollingOver');
  });

  it('says what comes waits for, and leaves batches to the next run (S2.6, S4.6, S5.4)', async () => {
    const { entity } = await busyBox();
    const bad = [{ id: 'bad', event: 'place', params: { label: 'x' } }];
    expect(entity.handlers!.refuse(bad)).toEqual({ kind: 'closing' });
    await entity.raise(relabel('one'));
    const explained = explainEntity(Box, entity.snapshot);
    expect(explained).toContainEqual({ kind: 'event', event: 'relabel', operation: 'one', behind: 'the next run' });
    expect(allowedEvents(Box, entity.snapshot)).toContainEqual({
      ...{ event: 'relabel', allowed: true, behind: 'the next run' },
    });
  });

  it('ends between two actions, though more events wait, and sends all that an action needs (S2.4, run-end.1)', async () => {
    const entity = new LoneEntity(job, { kind: 'create', key: 'k', request: { id: 'start-id', event: 'start' } });
    await entity.pass(1_000);
    entity.rollsOver = true;
    await entity.hear(read('while'));
    expect(entity.taken()).toMatchObject([{ kind: 'view', wait: 'while' }]);
    expect(await entity.raise({ id: 'again', event: 'start' })).toMatchObject([{ behind: 'work' }]);
    entity.calls.shift()!.answer({ output: {}, restarts: 0 });
    await entity.calm();
    const next = nextOf(entity);
    expect(next).not.toHaveProperty('unsent');
    expect(next.snapshot).toMatchObject({ state: 'Done', waiting: [{ id: 'again' }], engagements: [] });
    expect(entity.told).toMatchObject([{ operation: 'start-id', message: { kind: 'ended' } }]);
    const after = await goOn(job, next);
    expect(after.snapshot).toMatchObject({ state: 'Working', waiting: [], engagements: [{ id: 'again' }] });
    expect(after.calls).toHaveLength(1);
  });

  it('keeps nobody who has asked for an answer that tells the outcome (S4.7)', async () => {
    const entity = new LoneEntity(job);
    await entity.calm();
    let answers: unknown;
    void entity.handlers!.raise([{ id: 'start-id', event: 'start', holdMs: 5_000 }]).then((given) => (answers = given));
    await entity.calm();
    expect(answers).toBeUndefined();
    entity.rollsOver = true;
    const call = entity.calls.shift()!;
    call.fail(new Error('it broke'));
    await entity.calm();
    expect(answers).toEqual([{ status: 'accepted', operation: 'start-id' }]);
    expect(entity.opened.map(({ id }) => id)).toEqual(['start-id']);
    expect(nextOf(entity).snapshot).toMatchObject({ state: 'Working', engagements: [{ opened: true }] });
  });

  it('waits for the answers that are due', async () => {
    const { entity, open } = await busyBox();
    entity.answered = false;
    open();
    await entity.calm();
    expect(entity.end).toBeUndefined();
    entity.answered = true;
    await entity.calm();
    nextOf(entity);
  });

  it('leaves reports to be judged in the next one (S4.2, S4.3, receive.3)', async () => {
    const request = { id: 'furnish-id', event: 'furnish', params: { boxes: ['a'] } };
    const entity = new LoneEntity(room, { kind: 'create', key: 'k', request });
    await entity.calm();
    const open = hold(entity);
    await entity.hear(read('before'));
    entity.rollsOver = true;
    await entity.calm();
    const [successor] = entity.snapshot.successors;
    const outcome: EngagementOutcome = { state: 'Placed', version: 2, health: 'normal', waiting: false };
    const report: Report = {
      ...{ kind: 'report', from: { type: 'Box', key: 'a', life: 'b' }, toLife: 'life-1', version: 2, outcome },
      ...{ ended: [successor!.request], judgement: { id: 'owed', operations: ['furnish-id'] } },
    };
    await entity.hear(report);
    expect(entity.snapshot).toMatchObject({ state: 'Waiting', judgements: [{ id: 'owed' }] });
    const before = entity.told.length;
    open();
    await entity.calm();
    expect(entity.told).toHaveLength(before);
    const after = await goOn(room, nextOf(entity));
    expect(after.snapshot).toMatchObject({ state: 'Ready', judgements: [] });
    expect(after.told[0]).toMatchObject({
      message: { kind: 'judged', judgements: ['owed'], caused: [{ on: 'Room/k' }] },
    });
  });

  it('is the last one of an entity that is gone (S1.3)', async () => {
    const { entity, open } = await busyBox();
    entity.rollsOver = false;
    const after = new LoneEntity(box, { kind: 'continue', at: 0, snapshot: { ...entity.snapshot, rollingOver: true } });
    open();
    await after.calm();
    expect(after.snapshot).not.toHaveProperty('rollingOver');
    const opened = hold(after);
    await after.raise({ id: 'remove-id', event: 'remove' });
    after.rollsOver = true;
    await after.hear(read('late'));
    opened();
    await after.calm();
    expect(after.end).toMatchObject({ kind: 'closed', snapshot: { state: 'Deleted' } });
  });
});

it('a run that ends leaves to the next one also what waits for a place to be sent (outbox.4, outbox.5)', async () => {
  const request = { id: 'place-id', event: 'place', params: { label: 'x' } };
  const entity = new LoneEntity(box, { kind: 'create', key: 'k', request });
  await entity.pass(1_000);
  entity.calls.shift()!.answer(place3);
  await entity.calm();
  entity.opened.splice(0);
  entity.handlers!.signal('look');
  await entity.calm();
  const open = hold(entity);
  for (let number = 1; number <= 600; number++) entity.handlers!.signal('relabel', { label: String(number) });
  await entity.calm();
  entity.rollsOver = true;
  entity.calls.shift()!.answer({ output: { place: 30 }, restarts: 0 });
  await entity.calm();
  open();
  await entity.calm();
  expect(entity.opened).toHaveLength(50);
  const next = nextOf(entity);
  expect(next.unsent?.filter(({ kind }) => kind === 'open')).toHaveLength(550);
  const after = await goOn(box, next);
  expect(after.opened).toHaveLength(550);
});
