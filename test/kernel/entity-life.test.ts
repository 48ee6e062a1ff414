import { describe, expect, it } from 'vitest';
import { implementActions } from '../../src/definition/index.js';
import type { EntityInput } from '../../src/kernel/life/entity-life.js';
import type { Creation } from '../../src/protocol/creation.js';
import type { RaiseRequest } from '../../src/protocol/request.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Seed } from '../entities/town.js';
import { Vault } from '../entities/vault.js';
import { box } from '../entities/workflows.js';
import { LoneEntity } from '../support/lone-entity.js';

const from = { type: 'Room', key: 'r', life: 'room-life', judges: true };
const place: RaiseRequest = { id: 'place-id', event: 'place', params: { label: 'x' }, operation: 'op', from };
const creation = (request: Partial<RaiseRequest> = {}, key = 'k'): Creation => ({
  kind: 'create',
  key,
  request: { ...place, ...request },
});

const seed = implementActions(Seed, { grow: async (app) => app.goTo('Grown') });
const vault = implementActions(Vault, {
  begin: async (app) => app.goTo('Filling'),
  fill: async (app) => app.goTo('Open'),
  touch: async () => undefined,
  unseal: async (app) => app.goTo('Open'),
  seal: async (app) => app.goTo('Sealed'),
  store: async () => undefined,
  look: async () => undefined,
  remove: async (app) => app.goTo('Deleted'),
});

/** A box, as far as it comes by itself. */
async function born(input?: EntityInput, id = 'Box/k'): Promise<LoneEntity> {
  const entity = new LoneEntity(box, input, { id, life: 'life-1' });
  await entity.calm();
  return entity;
}

/** A box that has been placed, and has told everybody. */
async function placed(): Promise<LoneEntity> {
  const entity = await born(creation());
  entity.calls[0]!.answer({ output: { place: 3 }, restarts: 0 });
  await entity.calm();
  entity.taken();
  return entity;
}

/** A box that has been deleted. */
async function deleted(): Promise<Snapshot> {
  const entity = await placed();
  await entity.raise({ id: 'remove-id', event: 'remove' });
  await entity.calm();
  expect(entity.end).toMatchObject({ kind: 'closed', snapshot: { state: 'Deleted' } });
  return (entity.end as { readonly snapshot: Snapshot }).snapshot;
}

describe('the birth of an entity', () => {
  it('admits the event that creates before anything can come in (S2.3, entity-life.1)', async () => {
    const entity = await born(creation());
    expect(entity.snapshot).toMatchObject({ state: 'Placing', life: 'life-1', engagements: [{ id: 'place-id' }] });
    expect(entity.calls).toMatchObject([{ activity: 'shelf.put', input: { name: 'k' } }]);
  });

  it('needs no event and no creation: it comes to be in its initial state (S2.1)', async () => {
    for (const input of [undefined, { kind: 'create', key: 'k' } as const]) {
      const entity = await born(input);
      expect(entity.snapshot).toMatchObject({ state: 'Absent', version: 0 });
      expect(entity.end).toBeUndefined();
    }
    const sown = new LoneEntity(seed, creation({ event: 'created', params: undefined, construct: { colour: 'red' } }));
    await sown.calm();
    expect(sown.snapshot).toMatchObject({ state: 'Growing', properties: { colour: 'red' } });
    await sown.pass(50);
    expect(sown.snapshot.state).toBe('Grown');
  });

  it('is refused where its argument or its id is malformed, and nobody is told (entity-life.3)', async () => {
    const malformed = [
      await born({ kind: 'create' } as Creation),
      await born(undefined, 'Box'),
      await born(undefined, 'Room/k'),
    ];
    for (const { end, told, sent, kept } of malformed) {
      const rejection = { code: 'malformed', message: expect.stringContaining('Not started: ') };
      expect(end).toMatchObject({ kind: 'refused', birth: { state: 'Absent', rejection } });
      expect([told, sent, kept]).toEqual([[], [], []]);
    }
    const saying = (text: string) => ({ birth: { rejection: { message: expect.stringContaining(text) } } });
    expect(malformed[0]?.end).toMatchObject(saying('key'));
    expect(malformed[1]?.end).toMatchObject(saying("not 'Box'"));
  });

  it.each([
    ['an invalid key', 'Box/UPPER', creation(undefined, 'UPPER'), 'invalid_key'],
    ['values that cannot be given', 'Box/k', creation({ construct: { size: 1 } }), 'invalid_parameters'],
    ['an event that is not valid', 'Box/k', creation({ event: 'look', params: undefined }), 'not_valid'],
  ])('comes to nothing with %s (S1.1, S2.2, entity-life.2)', async (_, id, input, code) => {
    const inherits = await deleted();
    const request = { ...input.request!, id: 'another' };
    const { end, told, sent, handlers, kept } = await born({ ...input, request, inherits }, id);
    const rejection = { code, message: expect.any(String) };
    expect(end).toMatchObject({ kind: 'refused', birth: { request: 'another', rejection }, inherits });
    expect(handlers?.snapshot().version ?? 0).toBe(0);
    const outcome = { state: 'Absent', version: 0, rejection: { code } };
    expect(told).toMatchObject([{ operation: 'op', message: { kind: 'ended', engagement: request.id, outcome } }]);
    expect(sent).toMatchObject([{ to: { type: 'Room', key: 'r' }, message: { kind: 'report', outcome } }]);
    expect(kept).toMatchObject([{ kind: 'event', id: request.id, error: { code } }]);
  });

  it('comes to nothing without a word where nobody has asked for it (S1.1, entity-life.2)', async () => {
    const { end, told, sent } = await born(undefined, 'Box/UPPER');
    expect(end).toMatchObject({ kind: 'refused', birth: { rejection: { code: 'invalid_key' } } });
    expect([told, sent]).toEqual([[], []]);
  });

  it('ends only after whoever asked for it has been told, and each event has its answer (S2.2, entity-life.2)', async () => {
    for (const request of [{ construct: { size: 1 } }, { event: 'look', params: undefined }]) {
      const entity = new LoneEntity(box, creation(request));
      let open!: () => void;
      entity.gate = new Promise((resolve) => (open = resolve));
      await entity.calm();
      expect(entity.end).toBeUndefined();
      open();
      await entity.calm();
      expect(entity.end).toMatchObject({ kind: 'refused' });
    }
    const asked = new LoneEntity(box, creation({ event: 'look', params: undefined }));
    asked.answered = false;
    await asked.calm();
    expect(asked.end).toBeUndefined();
  });

  it('tells who has raised something on it meanwhile that nobody is there, where it comes to nothing (S4.1, entity-life.2, unborn.1)', async () => {
    const inherits = await deleted();
    const other = { type: 'Room', key: 's', life: 'other-life', judges: true };
    const raise = {
      kind: 'raise',
      key: 'k',
      request: { id: 'sort-id', event: 'sort', operation: 'op-2', from: other },
    };
    const outcome = { rejection: { code: 'absent', message: `'sort' was raised on Box/k, which does not exist.` } };
    for (const input of [
      creation({ construct: { size: 1 } }),
      creation({ event: 'look', params: undefined }),
      { ...creation(), inherits },
    ]) {
      const entity = new LoneEntity(box, input);
      while (!entity.handlers) await Promise.resolve();
      entity.handlers.message(raise);
      await entity.calm();
      const told = entity.told.filter(({ operation }) => operation === 'op-2');
      expect(told).toMatchObject([{ message: { kind: 'ended', engagement: 'sort-id', outcome } }]);
      const reports = entity.sent.filter(({ to }) => to.key === 's').map(({ message }) => message);
      expect(reports).toMatchObject([{ kind: 'report', toLife: 'other-life', ended: ['sort-id'], outcome }]);
      expect(entity.kept).toContainEqual(expect.objectContaining({ kind: 'event', id: 'sort-id' }));
      expect(entity.end).toMatchObject({ kind: input.kind === 'create' && 'inherits' in input ? 'closed' : 'refused' });
    }
  });

  it('reports what an earlier life has known, also where it comes to nothing (S1.3, unborn.2)', async () => {
    const inherits = await deleted();
    const entity = new LoneEntity(box, { ...creation({ id: 'other', event: 'look', params: undefined }), inherits });
    while (!entity.handlers) await Promise.resolve();
    entity.handlers.message({ kind: 'raise', key: 'k', request: place });
    await entity.calm();
    const reports = entity.sent.map(({ message }) => message).filter((each) => each.kind === 'report');
    expect(reports).toContainEqual(expect.objectContaining({ ended: ['place-id'], toLife: 'room-life' }));
    expect(reports.filter(({ ended }) => ended.includes('place-id'))).not.toContainEqual(
      expect.objectContaining({ outcome: expect.objectContaining({ rejection: expect.anything() }) }),
    );
    expect(entity.end).toMatchObject({ kind: 'refused' });
  });

  it('takes no event from callers and signals where it comes to nothing (S2.2, entity-life.2)', async () => {
    const entity = new LoneEntity(box, creation({ event: 'look', params: undefined }));
    let open!: () => void;
    entity.gate = new Promise((resolve) => (open = resolve));
    await entity.calm();
    expect(entity.handlers?.refuse([{ id: 'a', event: 'place', params: { label: 'x' } }])).toEqual({ kind: 'closing' });
    entity.handlers?.signal('place', { label: 'x' });
    entity.handlers?.message({ kind: 'nonsense' });
    expect(entity.snapshot).toMatchObject({ state: 'Absent', version: 0 });
    expect(entity.warnings.join()).toMatch(/place[^]*nonsense|message/);
    open();
    await entity.calm();
    expect(entity.end).toMatchObject({ kind: 'refused' });
  });

  it('is refused to those who may not create it, and belongs to whom it was created for (S6.5)', async () => {
    const actor = { subject: 'eve', tenant: 'acme', roles: ['reader'] };
    const request = { id: 'open-id', event: 'created', operation: 'op', from, actor };
    const refused = new LoneEntity(vault, { kind: 'create', key: 'k', request });
    await refused.calm();
    expect(refused.end).toMatchObject({ kind: 'refused', birth: { rejection: { code: 'not_allowed' } } });
    expect(refused.told).toMatchObject([
      { operation: 'op', message: { outcome: { rejection: { code: 'not_allowed' } } } },
    ]);
    const owner = { ...actor, roles: ['owner'] };
    const allowed = new LoneEntity(vault, { kind: 'create', key: 'k', request: { ...request, actor: owner } });
    await allowed.calm();
    expect(allowed.snapshot).toMatchObject({ tenant: 'acme', state: 'Absent', version: 0 });
  });

  it('knows the requests of the last life of its key, and makes no other one by them (S1.3, S2.5)', async () => {
    const inherits = await deleted();
    const again = await born({ ...creation(), inherits });
    expect(again.end).toEqual({ kind: 'closed', snapshot: inherits });
    const other = await born({ ...creation({ id: 'other' }), inherits });
    expect(other.snapshot.ledger.recent.map(({ id, life }) => [id, life])).toEqual([
      ['place-id', 'life-1'],
      ['remove-id', 'life-1'],
      ['other', undefined],
    ]);
  });
});

describe('what comes to an entity', () => {
  it('is refused as a batch when it is malformed, or when nothing of it is valid (S2.2, entity-life.3)', async () => {
    const { handlers } = await placed();
    const malformed = handlers!.refuse([{ id: '', event: 'look' }]);
    expect(malformed).toEqual({ kind: 'malformed', problem: expect.stringContaining('0.id') });
    const rejected = handlers!.refuse([{ id: 'a', event: 'place', params: { label: 'y' } }]);
    expect(rejected).toMatchObject({
      kind: 'rejected',
      answers: [{ status: 'rejected', rejection: { code: 'already_done' } }],
    });
    expect(handlers!.refuse([{ id: 'a', event: 'look' }])).toBeUndefined();
  });

  it('is dropped and recorded where it is a malformed message or signal (entity-life.3)', async () => {
    const entity = await placed();
    const { version } = entity.snapshot;
    await entity.hear({ kind: 'report' });
    expect(entity.snapshot.dropped).toMatchObject({ signal: 'message', at: entity.now });
    entity.handlers!.signal('paint', undefined);
    expect(entity.snapshot).toMatchObject({ version, dropped: { signal: 'paint', reason: expect.any(String) } });
    expect(entity.warnings).toEqual(["dropped the signal 'message'", "dropped the signal 'paint'"]);
  });

  it('is taken where it is a signal or a message that is valid (S2.1)', async () => {
    const entity = await placed();
    entity.handlers!.signal('relabel', { label: 'signalled' });
    await entity.calm();
    expect(entity.snapshot).toMatchObject({ properties: { label: 'signalled' } });
    expect(entity.snapshot.ledger.recent.at(-1)).toMatchObject({ id: 'uuid-1' });
    const request = { id: 'r', event: 'relabel', params: { label: 'raised' } };
    await entity.hear({ kind: 'raise', key: 'k', request });
    expect(entity.snapshot).toMatchObject({ properties: { label: 'raised' } });
    expect(entity.snapshot.dropped).toBeUndefined();
  });
});

describe('the end of a run', () => {
  it('is not after the beginning of the next one, whatever the clock says (L7)', async () => {
    const { snapshot, now } = await placed();
    const next = await born({ kind: 'continue', snapshot, at: now + 5_000 });
    expect(next.now).toBe(now + 5_000);
  });

  it('carries the snapshot, and what the store has yet to be told, into the next one (S5.2, Q1)', async () => {
    const entity = await placed();
    entity.storing = false;
    entity.rollsOver = true;
    await entity.calm();
    const { snapshot } = entity;
    entity.handlers!.signal('paint', undefined);
    await entity.pass(1);
    expect(entity.end).toMatchObject({
      kind: 'rollover',
      next: { kind: 'continue', snapshot: { state: 'Placed', version: snapshot.version }, records: { failures: 1 } },
    });
    const { next } = entity.end as Extract<LoneEntity['end'], { kind: 'rollover' }>;
    const goesOn = await born(next);
    expect(goesOn.snapshot).toMatchObject({ state: 'Placed', version: snapshot.version });
    await goesOn.pass(2_000);
    expect(goesOn.kept.map(({ kind }) => kind)).toContain('entity');
    goesOn.rollsOver = true;
    goesOn.handlers!.signal('paint', undefined);
    await goesOn.calm();
    expect(goesOn.end).toEqual({
      kind: 'rollover',
      build: 'newest',
      next: {
        ...{ kind: 'continue', snapshot: goesOn.snapshot, at: goesOn.now },
        records: { records: [expect.objectContaining({ kind: 'decision', event: 'paint' })], failures: 0 },
      },
    });
  });

  it('waits for the answers that are due, and leaves nothing that the store has not been told (S1.3, S5.2)', async () => {
    const entity = await placed();
    entity.answered = false;
    entity.storing = false;
    await entity.raise({ id: 'remove-id', event: 'remove' });
    await entity.calm();
    expect(entity.end).toBeUndefined();
    expect(entity.snapshot.state).toBe('Deleted');
    entity.answered = true;
    await entity.calm();
    expect(entity.end).toMatchObject({ kind: 'closed', snapshot: { state: 'Deleted' } });
    expect(entity.handedOn.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['transition', 'event', 'entity']));
  });

  it('comes only after all that came meanwhile has its answer, and the store knows of it (S1.3, S5.2)', async () => {
    const entity = await placed();
    entity.answered = false;
    await entity.raise({ id: 'remove-id', event: 'remove' });
    await entity.hear({ kind: 'raise', key: 'k', request: { id: 'late', event: 'look', operation: 'op', from } });
    expect(entity.taken()).toMatchObject([{ kind: 'report' }, { outcome: { rejection: { code: 'gone' } } }]);
    entity.answered = true;
    await entity.calm();
    expect(entity.end).toMatchObject({ kind: 'closed' });
    expect(entity.kept.at(-1)).toMatchObject({ kind: 'event', id: 'late', error: { code: 'gone' } });
  });

  it('tells who has asked to reserve it meanwhile that it is gone (S1.3, S3.6)', async () => {
    const entity = await placed();
    let open!: () => void;
    entity.gate = new Promise((resolve) => (open = resolve));
    await entity.raise({ id: 'remove-id', event: 'remove' });
    const asks = { kind: 'reserve', wait: 'w', operation: 'op', leaseMs: 1_000, hold: 'action', until: 9_000 };
    await entity.hear({ ...asks, from: { type: 'Clerk', key: 'c', life: 'l' } });
    expect(entity.end).toBeUndefined();
    open();
    await entity.calm();
    expect(entity.end).toMatchObject({ kind: 'closed' });
    expect(entity.taken().at(-1)).toEqual({ kind: 'view', from: { type: 'Box', key: 'k' }, toLife: 'l', wait: 'w' });
  });
});
