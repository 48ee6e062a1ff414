import { describe, expect, it } from 'vitest';
import { OperationTracker } from '../../src/operations/tracker.js';
import type { OperationStatus } from '../../src/operations/status.js';
import type { OperationMessage } from '../../src/protocol/operation-message.js';
import { ended, heard, ref, start, START } from '../support/operation.js';

const resting = { state: 'Waiting', waiting: true, version: 2 } as const;
const error = { kind: 'retryable', code: 'oops', message: 'it broke' } as const;
const rejection = { code: 'not_valid', message: 'no', entity: 'Child/c', event: 'e' };
/** A parent that rests for its child, which is under way. */
const parent = ended('root', 'Parent/p', resting, { caused: { child: 'Child/c' } });
const interrupted = (entity: string, by: string, ends: boolean): OperationMessage => ({
  kind: 'interrupted',
  participant: ref(entity),
  by,
  ...(ends && { outcome: { ...resting, health: 'normal', waiting: false, canceled: true } }),
});
const unknown = (entity: string, round: number, more: object): OperationMessage => ({
  ...{ kind: 'unknown', participant: ref(entity), round, engagements: [], judgements: [], anotherLife: false },
  ...more,
});
const lives = (tracker: OperationTracker) =>
  Object.values(tracker.status().participants).map(({ type, key, state }) => `${type}/${key} ${state}`);
const codes = (tracker: OperationTracker) => tracker.status().errors.map(({ entity, code }) => `${entity} ${code}`);

describe('the status of an operation', () => {
  const { kind: _, ...described } = START;
  const begun: OperationStatus = {
    ...described,
    outcome: 'running',
    restarts: 0,
    hung: false,
    cancel: 'none',
    items: [{ id: 'root', kind: 'engagement', on: 'Parent/p', state: 'open', causes: [] }],
    participants: {},
    waiting: {},
    awaits: [],
    interruptions: [],
    reservations: [],
    errors: [],
    madeGood: [],
  };

  it('begins with the event that opened it (S4.1)', () => {
    const tracker = start();
    expect(tracker.status()).toStrictEqual(begun);
    expect([tracker.id, tracker.size, tracker.done]).toEqual(['op', 0, false]);
  });

  it('goes from run to run as it is, and is not shared between them (Q1)', () => {
    const full: OperationStatus = {
      ...begun,
      hung: true,
      cancel: 'requested',
      restarts: 2,
      items: [...begun.items, { id: 'child', kind: 'engagement', on: 'Child/c', state: 'lost', causes: [0] }],
      participants: {
        'Parent/p#l': { type: 'Parent', key: 'p', life: 'l', state: 'Waiting', ...HEALTHY, waiting: true },
      },
      waiting: { 'Parent/p#l': [0] },
      awaits: [{ by: ref('Parent/p'), item: 1, outcome: { state: 'Ready', ...HEALTHY } }],
      interruptions: [{ entity: 'Child/c', by: 'other', ends: false }],
      reservations: [{ on: { type: 'Box', key: 'b' }, wait: 'w' }],
      errors: [{ ...error, entity: 'Child/c', event: 'e', engagement: 'child' }],
    };
    const copy = JSON.parse(JSON.stringify(full)) as OperationStatus;
    const tracker = new OperationTracker(full);
    expect(tracker.status()).toStrictEqual(copy);
    expect([tracker.size, tracker.done]).toEqual([1, false]);
    const before = tracker.status();
    tracker.hear(ended('root', 'Parent/p', { error }, { judgements: { j: 'Parent/p' } }));
    tracker.hear(interrupted('Child/c', 'third', true));
    tracker.hear({ kind: 'reserved', on: { type: 'Box', key: 'c' }, wait: 'v' });
    tracker.releases();
    expect(before).toStrictEqual(copy);
    expect(full).toStrictEqual(copy);
  });

  it('counts restarts, and shows the dimensions that came last (S5.1)', () => {
    const tracker = heard(
      { ...ended('root', 'Parent/p'), restarts: 2, dimensions: { a: '1' } },
      { ...ended('more', 'Child/c'), restarts: 1 },
      { ...ended('more', 'Child/c'), restarts: 1, dimensions: { a: '2' } },
    );
    expect(tracker.status()).toMatchObject({ restarts: 3, dimensions: { a: '1' } });
  });
});

const HEALTHY = { version: 1, health: 'normal', waiting: false } as const;

describe('the budget of an operation (S5.3)', () => {
  it('is none where none is declared, and is over once', () => {
    const { budgetMs: _, ...boundless } = START;
    expect(OperationTracker.start(boundless).hungAt).toBeUndefined();
    const tracker = OperationTracker.start({ ...START, startedAt: 500 });
    expect(tracker.hungAt).toBe(1_500);
    tracker.markHung();
    expect(tracker.hungAt).toBeUndefined();
  });
});

describe('the outcome of an operation (S5.1)', () => {
  it.each<[string, readonly OperationMessage[]]>([
    ['success', [ended('root', 'Parent/p')]],
    ['success', [ended('root', 'Parent/p'), interrupted('Parent/p', 'other', false)]],
    [
      'success',
      [ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }), ended('child', 'Child/c', { rejection })],
    ],
    ['failed', [ended('root', 'Parent/p', { rejection })]],
    ['failed', [ended('root', 'Parent/p', { error })]],
    ['failed', [ended('root', 'Parent/p', { health: 'error' })]],
    ['failed', [ended('root', 'Parent/p', { health: 'error' }), ended('child', 'Child/c')]],
    ['failed', [ended('root', 'Parent/p', { health: 'error', canceled: true })]],
    ['canceled', [ended('root', 'Parent/p', { canceled: true })]],
    ['canceled', [ended('root', 'Parent/p'), interrupted('Parent/p', 'other', true)]],
    ['canceled', [ended('root', 'Parent/p'), ended('op/cancel/Parent/p', 'Parent/p')]],
  ])('is %s after %j', (outcome, messages) => {
    const tracker = heard(...messages);
    tracker.markHung();
    expect(tracker.end(7)).toMatchObject({ outcome, hung: false, endedAt: 7 });
    expect(tracker.status()).toStrictEqual(tracker.status());
  });

  it('does not fail by an error state in which an entity was before, unless its last word says otherwise', () => {
    const inError = { state: 'Failed', health: 'error', version: 2 } as const;
    const unmoved = ended('root', 'Parent/p', { ...inError, wasInError: true });
    expect(heard(unmoved).end(5)).toMatchObject({ outcome: 'success', errors: [] });
    const led = ended('more', 'Parent/p', { ...inError, version: 3 });
    for (const messages of [
      [unmoved, led],
      [led, unmoved],
    ]) {
      expect(heard(...messages).end(5)).toMatchObject({
        ...{ outcome: 'failed', errors: [{ code: 'error_state', event: 'e' }] },
      });
    }
  });

  it('keeps the rejection of the event that opened it only, and no last word with a rejection (S2.3)', () => {
    const tracker = heard(ended('child', 'Child/c', { rejection }));
    expect(tracker.status().rejection).toBeUndefined();
    expect(lives(tracker)).toEqual([]);
    tracker.hear(ended('root', 'Parent/p', { rejection }));
    expect(tracker.status().rejection).toEqual(rejection);
  });

  it('says who was cut short, and by whom (S4.8)', () => {
    const tracker = heard(
      ended('root', 'Parent/p', { canceled: true }),
      interrupted('Parent/p', 'other', false),
      interrupted('Parent/p', 'other', false),
      interrupted('Parent/p', 'third', false),
      interrupted('Child/c', 'other', false),
    );
    expect(tracker.status().interruptions).toEqual([
      { entity: 'Parent/p', by: 'op', ends: true },
      { entity: 'Parent/p', by: 'other', ends: false },
      { entity: 'Parent/p', by: 'third', ends: false },
      { entity: 'Child/c', by: 'other', ends: false },
    ]);
  });
});

describe('what an operation hears twice, late or in another order (S4.4, tracker.2)', () => {
  it('counts once', () => {
    const twice = ended('root', 'Parent/p', { error }, { caused: { child: 'Child/c' }, awaiter: 'Child/c' });
    const tracker = heard(twice);
    const before = tracker.status();
    tracker.hear(ended('root', 'Parent/p', { state: 'Other', version: 9, error }, { awaiter: 'Child/c' }));
    expect(tracker.status()).toStrictEqual(before);
    const reserved = { kind: 'reserved', on: { type: 'Box', key: 'b' }, wait: 'w' } as const;
    tracker.hear(reserved);
    tracker.hear(reserved);
    tracker.hear({ ...reserved, wait: 'v' });
    expect(tracker.releases()).toEqual([
      { to: reserved.on, message: { kind: 'release', wait: 'w', operation: 'op' } },
      { to: reserved.on, message: { kind: 'release', wait: 'v', operation: 'op' } },
    ]);
    expect(tracker.releases()).toEqual([]);
  });

  it('a judgement may end before anyone has said who owes it', () => {
    const tracker = heard({ kind: 'judged', judgements: ['j'], caused: [] });
    tracker.hear(ended('root', 'Parent/p', {}, { judgements: { j: 'Child/c' } }));
    expect(tracker.done).toBe(true);
    expect(tracker.status().items).toEqual([
      { id: 'root', kind: 'engagement', on: 'Parent/p', state: 'ended', causes: [] },
      { id: 'j', kind: 'judgement', on: 'Child/c', state: 'ended', causes: [0] },
    ]);
  });

  it('the word on the same version is the later one, and on an older version none', () => {
    const moved = (state: string, version: number, waiting = false): OperationMessage => ({
      kind: 'moved',
      participant: ref('Parent/p'),
      outcome: { state, version, health: 'normal', waiting },
    });
    const tracker = heard(ended('root', 'Parent/p', resting), moved('Older', 1));
    expect([lives(tracker), tracker.done]).toEqual([['Parent/p Waiting'], false]);
    tracker.hear(moved('Same', 2));
    expect([lives(tracker), tracker.done]).toEqual([['Parent/p Same'], true]);
    tracker.hear(moved('Again', 3, true));
    expect(tracker.status().waiting).toEqual({ 'Parent/p#life of Parent/p': [] });
  });

  it('an event of another operation ends the wait for one that rests, and for no other (S4.8)', () => {
    const tracker = heard(ended('root', 'Parent/p', resting), ended('child', 'Child/c', resting));
    tracker.hear(interrupted('Parent/p', 'other', false));
    expect(Object.keys(tracker.status().waiting)).toHaveLength(2);
    tracker.hear(interrupted('Child/c', 'other', true));
    expect(tracker.status()).toMatchObject({
      waiting: { 'Parent/p#life of Parent/p': [0] },
      participants: { 'Child/c#life of Child/c': { state: 'Waiting', waiting: false } },
    });
    expect(Object.keys(tracker.status().participants)).toHaveLength(2);
  });
});

describe('an operation that looks after those who say nothing (S4.4)', () => {
  it('asks each for what it owes, and whether it is of the life that rests', () => {
    const tracker = heard(
      ended('root', 'Parent/p', resting, {
        caused: { child: 'Child/c', next: 'Parent/p' },
        judgements: { j: 'Child/c' },
      }),
      { kind: 'judged', judgements: ['early'], caused: [{ engagement: 'nowhere', on: '' }] },
    );
    const asked = { kind: 'inquiry', operation: 'op', round: 1 };
    expect(tracker.inquiries()).toStrictEqual([
      { to: { type: 'Child', key: 'c' }, message: { ...asked, engagements: ['child'], judgements: ['j'] } },
      {
        to: { type: 'Parent', key: 'p' },
        message: { ...asked, engagements: ['next'], judgements: [], life: 'life of Parent/p' },
      },
    ]);
    expect(tracker.inquiries()).toMatchObject([{ message: { round: 2 } }, { message: { round: 2 } }]);
    const waits = heard(ended('root', 'Parent/p', resting));
    const life = 'life of Parent/p';
    expect(waits.inquiries()).toStrictEqual([
      { to: { type: 'Parent', key: 'p' }, message: { ...asked, engagements: [], judgements: [], life } },
    ]);
  });

  it('takes for lost who is missed twice in a row, with all that it owes and nothing of others (tracker.4)', () => {
    const caused = [
      { engagement: 'a', on: 'Child/c', event: 'make' },
      { engagement: 'b', on: 'Child/cc' },
    ];
    const tracker = heard({ ...ended('root', 'Parent/p', {}, { judgements: { j: 'Child/c' } }), caused });
    tracker.hear(ended('rest', 'Child/c', resting));
    tracker.hear(ended('rests', 'Child/cc', resting));
    const missed = () => tracker.missed(tracker.inquiries().find(({ to }) => to.key === 'c')!);
    expect(missed()).toEqual([]);
    expect(codes(tracker)).toEqual([]);
    missed();
    expect(tracker.status().errors).toEqual([
      {
        ...{ kind: 'needs_operator', code: 'lost', message: "Child/c was terminated before 'a' had ended on it." },
        ...{ entity: 'Child/c', event: 'make', engagement: 'a' },
      },
      {
        ...{ kind: 'needs_operator', code: 'lost' },
        message: 'Child/c was terminated while it waited for its successors in Waiting.',
        ...{ entity: 'Child/c', event: 'e', engagement: '' },
      },
    ]);
    expect(tracker.status().items.map(({ id, state }) => `${id} ${state}`)).toEqual([
      'root ended',
      'a lost',
      'b open',
      'j lost',
      'rest ended',
      'rests ended',
    ]);
    expect(tracker.status()).toMatchObject({
      waiting: { 'Child/cc#life of Child/cc': [5] },
      participants: { 'Child/c#life of Child/c': { waiting: false, health: 'error', lost: true } },
    });
  });

  it('begins anew once it has heard of one, and counts the same look once (tracker.2)', () => {
    const tracker = heard(ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }));
    const [first] = tracker.inquiries();
    tracker.missed(first!);
    tracker.missed(first!);
    expect(codes(tracker)).toEqual([]);
    tracker.hear(ended('other', 'Child/c'));
    tracker.missed(tracker.inquiries()[0]!);
    expect(codes(tracker)).toEqual([]);
    tracker.missed(tracker.inquiries()[0]!);
    expect(codes(tracker)).toEqual(['Child/c lost']);
  });

  it('is not waited for where another operation follows its event, lost or not (S3.4, tracker.7)', () => {
    const followed = { kind: 'followed', participant: ref('Child/c'), engagement: 'child', by: 'first' } as const;
    const caused = { caused: { child: 'Child/c' } };
    const tracker = heard(followed, ended('root', 'Parent/p', {}, caused));
    expect(tracker.done).toBe(true);
    const late = heard(ended('root', 'Parent/p', {}, caused));
    late.hear(unknown('Child/c', 1, { engagements: ['child'] }));
    late.hear(unknown('Child/c', 2, { engagements: ['child'] }));
    expect(codes(late)).toEqual(['Child/c lost']);
    late.hear(followed);
    expect(codes(late)).toEqual([]);
    expect(late.done).toBe(true);
  });

  it('does not miss who cannot hear anything else', () => {
    const tracker = heard(parent);
    const to = { type: 'Child', key: 'c' };
    for (const _ of [1, 2]) expect(tracker.missed({ to, message: { kind: 'release', wait: 'w' } })).toEqual([]);
    expect(tracker.status().items.find(({ id }) => id === 'child')?.state).toBe('open');
  });

  it('waits for no answer to a request to cancel of one that is not there (S4.7)', () => {
    const tracker = heard(ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }));
    const [request] = tracker.hear({ kind: 'cancel' });
    expect(request).toEqual({
      to: { type: 'Child', key: 'c' },
      message: { kind: 'cancel', operation: 'op', engagement: 'op/cancel/Child/c' },
    });
    tracker.missed(request!);
    expect(tracker.status().items.slice(1)).toMatchObject([{ state: 'open' }, { state: 'lost' }]);
    expect(codes(tracker)).toEqual([]);
  });

  it('believes that another life has the key only of those who rested in an earlier one (S1.3)', () => {
    const tracker = heard(ended('root', 'Parent/p', resting), ended('child', 'Child/c', resting));
    const other = { ...ref('Child/c'), life: 'another' };
    tracker.hear({ ...ended('new', 'Child/c', resting), participant: other });
    for (const round of [1, 2]) {
      expect(tracker.done).toBe(false);
      tracker.hear({ ...unknown('Child/c', round, { anotherLife: true }), participant: other } as OperationMessage);
    }
    expect(Object.keys(tracker.status().waiting)).toEqual(['Parent/p#life of Parent/p', 'Child/c#another']);
    expect(codes(tracker)).toEqual(['Child/c lost']);
    tracker.hear(unknown('Parent/p', 1, {}));
    tracker.hear(unknown('Parent/p', 2, {}));
    expect(Object.keys(tracker.status().waiting)).toHaveLength(2);
  });

  it('takes what is not known for lost once, and not what has ended (tracker.4)', () => {
    const tracker = heard(
      ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' }, judgements: { j: 'Child/c' } }),
    );
    for (const round of [1, 2, 3, 4]) {
      tracker.hear(unknown('Child/c', round, { engagements: ['child', 'root', 'never'], judgements: ['j'] }));
    }
    expect(codes(tracker)).toEqual(['Child/c lost']);
    expect(tracker.done).toBe(true);
  });
});

describe('what was lost and speaks after all (S4.4, tracker.4)', () => {
  it('counts again, and only its own loss is forgotten', () => {
    const lost = { engagements: ['a', 'b'] };
    const tracker = heard(
      ended('root', 'Parent/p', {}, { caused: { a: 'Child/c', b: 'Child/c' } }),
      ended('other', 'Child/d', { error }),
      unknown('Child/c', 1, lost),
      unknown('Child/c', 2, lost),
    );
    const engagements = () => tracker.status().errors.map(({ engagement }) => engagement);
    expect(engagements()).toEqual(['other', 'a', 'b']);
    tracker.hear(ended('a', 'Child/c'));
    expect(engagements()).toEqual(['other', 'b']);
    tracker.hear(ended('fresh', 'Child/c', { error }));
    expect(engagements()).toEqual(['other', 'b', 'fresh']);
    expect(tracker.status().items.find(({ id }) => id === 'fresh')?.kind).toBe('engagement');
  });

  it('leaves those waiting that rest in the life which answers (S1.3)', () => {
    const tracker = heard(ended('root', 'Parent/p', resting));
    const other = { ...ref('Parent/p'), life: 'another' };
    for (const round of [1, 2])
      tracker.hear({ ...unknown('Parent/p', round, {}), participant: other } as OperationMessage);
    expect(Object.keys(tracker.status().waiting)).toHaveLength(1);
  });
});

describe('a request to cancel (S4.7)', () => {
  it('asks each entity once, whether it is under way or rests, and nobody that owes a judgement only', () => {
    const tracker = heard(
      ended('root', 'Parent/p', resting, {
        caused: { one: 'Child/c', two: 'Child/c', three: '' },
        judgements: { j: 'Judge/j' },
      }),
    );
    expect(tracker.hear({ kind: 'cancel' }).map(({ to, message }) => [to, message])).toEqual([
      [
        { type: 'Child', key: 'c' },
        { kind: 'cancel', operation: 'op', engagement: 'op/cancel/Child/c' },
      ],
      [
        { type: 'Parent', key: 'p' },
        { kind: 'cancel', operation: 'op', engagement: 'op/cancel/Parent/p' },
      ],
    ]);
    expect(tracker.status()).toMatchObject({ cancel: 'requested' });
    expect(tracker.status().items.slice(-2)).toEqual([
      { id: 'op/cancel/Child/c', kind: 'engagement', on: 'Child/c', state: 'open', causes: [] },
      { id: 'op/cancel/Parent/p', kind: 'engagement', on: 'Parent/p', state: 'open', causes: [] },
    ]);
  });
});

describe('an action that waits for all that an event sets off (S4.2, tracker.3)', () => {
  const asks = (engagement: string, by = 'Asker/a'): OperationMessage => ({
    kind: 'await',
    by: ref(by),
    engagement,
    outcome: { state: 'Old', ...HEALTHY },
  });
  const told = (engagement: string, outcome: object, by = 'Asker/a') => {
    const { life, ...to } = ref(by);
    return [{ to, message: { kind: 'awaited', toLife: life, engagement, outcome } }];
  };

  it('is told at once where that is over, or where it was rejected, with how it stands now', () => {
    const tracker = heard(
      ended('root', 'Parent/p', { state: 'First' }),
      ended('more', 'Parent/p', { version: 2, health: 'error' }),
    );
    const now = { state: 'Ready', version: 2, health: 'error', waiting: false };
    expect(tracker.hear(asks('root'))).toEqual(told('root', now));
    const rejected = ended('child', 'Child/c', { rejection, state: 'Absent' }, { awaiter: 'Asker/a' });
    expect(tracker.hear(rejected)).toEqual(told('child', rejected.outcome));
    expect(tracker.status().awaits).toEqual([]);
  });

  it('is told how the event ended where nothing more is known, and of the latest life where there were several', () => {
    const tracker = heard(
      unknown('Parent/p', 1, { engagements: ['root'] }),
      unknown('Parent/p', 2, { engagements: ['root'] }),
    );
    expect(tracker.hear(asks('root'))).toEqual(told('root', { state: 'Old', ...HEALTHY }));
    const lives = heard(ended('root', 'Parent/p', { state: 'First' }));
    lives.hear({
      ...ended('again', 'Parent/p', { state: 'Second' }),
      participant: { ...ref('Parent/p'), life: 'two' },
    });
    lives.hear(ended('child', 'Child/c', { state: 'Child' }));
    expect(lives.hear(asks('root'))).toMatchObject(told('root', { state: 'Second' }));
  });

  it('is told nothing of what is unknown, later of what goes on, and once of what it asked for twice', () => {
    const tracker = heard(ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }));
    expect(tracker.hear(asks('never'))).toEqual([]);
    expect(tracker.status().awaits).toEqual([]);
    const early = heard(ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }));
    expect(early.hear(asks('child'))).toEqual([]);
    expect(early.hear(ended('child', 'Child/c'))).toHaveLength(1);
    tracker.hear(asks('root'));
    tracker.hear(asks('root'));
    expect(tracker.status().awaits).toHaveLength(1);
    expect(tracker.hear(ended('child', 'Child/c'))).toHaveLength(1);
  });

  it('is held up neither by what the event has not set off, nor by what it has to do itself', () => {
    const tracker = heard(
      ended('root', 'Parent/p', resting, { caused: { a: 'Child/a', b: 'Child/b' } }),
      ended('a', 'Child/a', resting, { caused: { back: 'Asker/a' } }),
    );
    expect(tracker.hear(asks('a'))).toEqual([]);
    expect(tracker.hear(ended('next', 'Child/a', { version: 3 }))).toHaveLength(1);
    expect(
      tracker
        .status()
        .items.filter(({ state }) => state === 'open')
        .map(({ id }) => id),
    ).toEqual(['b', 'back']);
    // The asker itself may rest for what it has set off.
    tracker.hear(ended('back', 'Asker/a', resting));
    expect(tracker.hear(asks('a'))).toHaveLength(1);
    expect(tracker.hear(asks('root', 'Judge/j'))).toEqual([]);
  });

  it('is held up by one that came to rest for it by several events', () => {
    const tracker = heard(
      ended('root', 'Parent/p', resting, { caused: { a: 'Child/a', b: 'Child/a' } }),
      ended('a', 'Child/a', resting),
      ended('b', 'Child/a', { ...resting, version: 3 }),
    );
    expect(tracker.status().waiting).toMatchObject({ 'Child/a#life of Child/a': [1, 2] });
    expect(tracker.hear(asks('b'))).toEqual([]);
    expect(
      tracker.hear({ kind: 'moved', participant: ref('Child/a'), outcome: { state: 'Done', ...HEALTHY, version: 4 } }),
    ).toMatchObject(told('b', { state: 'Done' }));
  });

  it('is told the rejection as it was, whatever the entity has come to since', () => {
    const tracker = heard(
      ended('root', 'Parent/p', {}, { caused: { child: 'Child/c' } }),
      ended('other', 'Child/c', { version: 9 }),
    );
    const rejected = ended('child', 'Child/c', { rejection, state: 'Absent' }, { awaiter: 'Asker/a' });
    expect(tracker.hear(rejected)).toEqual(told('child', rejected.outcome));
  });

  it('is told of each event for which it waits at the same time', () => {
    const tracker = heard(
      ended('root', 'Parent/p', {}, { caused: { a: 'Child/a', b: 'Child/b', open: 'Child/c' } }),
      ended('a', 'Child/a', {}, { caused: { more: 'Child/d' } }),
      ended('b', 'Child/b', {}, { caused: { most: 'Child/d' } }),
      asks('a'),
      asks('b'),
    );
    expect(tracker.status().awaits).toHaveLength(2);
  });
});

describe('an event that an action has raised and that was rejected (S3.6, S5.1, tracker.5)', () => {
  const refused = (engagement: string, unexpected = true): OperationMessage => ({
    ...ended(engagement, 'Child/c', { rejection }),
    ...(unexpected && { unexpected }),
  });
  const accepted = (engagement: string) => ended(engagement, 'Child/c');
  const root = (...raised: readonly string[]) =>
    ended('root', 'Parent/p', {}, { caused: Object.fromEntries(raised.map((id) => [id, 'Child/c'])) });

  it('makes the operation failed, with its code, where nobody expects it', () => {
    const tracker = heard(root('a/1'), refused('a/1'));
    expect(tracker.done).toBe(true);
    expect(tracker.end(9)).toMatchObject({
      outcome: 'failed',
      errors: [{ kind: 'rejected', code: 'not_valid', entity: 'Child/c', event: 'e', engagement: 'a/1' }],
    });
    expect(heard(root('a/1'), refused('a/1', false)).end(9)).toMatchObject({ outcome: 'success', errors: [] });
  });

  it('is made good by a later attempt that is accepted, in whatever order they are heard, and from run to run', () => {
    const raised = root('a/1', 'a/1~2', 'a/1~3');
    for (const order of [
      ['a/1', 'a/1~2', 'a/1~3'],
      ['a/1~3', 'a/1~2', 'a/1'],
      ['a/1~2', 'a/1~3', 'a/1'],
    ]) {
      let tracker = heard(raised);
      for (const id of order) {
        tracker.hear(id === 'a/1~3' ? accepted(id) : refused(id));
        tracker = new OperationTracker(tracker.status());
      }
      expect(codes(tracker)).toEqual([]);
      expect(tracker.end(9).outcome).toBe('success');
    }
  });

  it('counts once, however many attempts were rejected, and apart from other raises and errors', () => {
    const tracker = heard(root('a/1', 'a/1~2', 'a/2'), refused('a/1'), refused('a/1~2'), accepted('a/2'));
    expect(codes(tracker)).toEqual(['Child/c not_valid']);
    const own = { kind: 'rejected', code: 'not_valid', message: 'no' } as const;
    tracker.hear(ended('b/1', 'Child/c', { error: own }));
    tracker.hear(accepted('b/1~2'));
    expect(codes(tracker)).toEqual(['Child/c not_valid', 'Child/c not_valid']);
  });
});

describe('an operation that goes on for long (tracker.9, Q1)', () => {
  const tick = (version: number, outcome = {}, more = {}) =>
    ended(`tick ${version}`, 'Parent/p', { ...resting, version, ...outcome }, { uncaused: true, ...more });

  it('does not grow with what time raises at rest, and ends when what rests has gone on', () => {
    const tracker = heard(ended('root', 'Parent/p', resting));
    const before = JSON.stringify(tracker.status()).length;
    for (let version = 2; version <= 1_000; version++) tracker.hear(tick(version));
    tracker.hear(tick(1_000));
    expect(JSON.stringify(tracker.status()).length).toBeLessThan(before + 10);
    expect(tracker.status().participants).toMatchObject({
      'Parent/p#life of Parent/p': { version: 1_000, waiting: true },
    });
    expect(tracker.done).toBe(false);
    tracker.hear(ended('last', 'Parent/p', { version: 1_001 }));
    expect(tracker.done).toBe(true);
  });

  it('keeps what has set something off, has failed, or was caused, as it has to count once', () => {
    const tracker = heard(
      ended('root', 'Parent/p', resting, { caused: { 'tick 5': 'Parent/p' } }),
      tick(2, {}, { caused: { child: 'Child/c' } }),
      tick(3, {}, { judgements: { judged: 'Boss/b' } }),
      tick(4, { error }),
      tick(4, { error }),
      tick(5),
      ended('not by time', 'Parent/p', { ...resting, version: 6 }),
    );
    const { items, errors } = tracker.status();
    expect(items.map(({ id }) => id)).toEqual([
      'root',
      'tick 5',
      'tick 2',
      'child',
      'tick 3',
      'judged',
      'tick 4',
      'not by time',
    ]);
    expect(errors).toHaveLength(1);
  });
});
