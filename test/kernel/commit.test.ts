import { describe, expect, it } from 'vitest';
import { Room } from '../entities/box.js';
import { Puppet } from '../support/entities.js';
import { placingBox } from '../support/placing-box.js';

function placed(): Puppet {
  const box = placingBox();
  box.end('Placed');
  box.taken();
  return box;
}

describe('the end of an action', () => {
  it('makes state and properties take effect together, with a version that grows by one (S3.2, S3.7, commit.1, commit.4)', () => {
    const box = placingBox();
    const { version } = box.snapshot;
    box.end('Placed', { properties: { label: 'x', place: 4 } });
    expect(box.snapshot).toMatchObject({ state: 'Placed', version: version + 1, properties: { place: 4 } });
  });

  it('refuses an undeclared target: the action has failed and nothing took effect (S3.1, commit.2)', () => {
    const box = placingBox();
    box.end('Deleted', { properties: { label: 'changed' } });
    expect(box.snapshot).toMatchObject({
      state: 'Placing',
      lastError: { code: 'undeclared_target', message: expect.stringContaining('but declares only: Placed') },
    });
    expect(box.snapshot.properties.label).not.toBe('changed');
  });

  it('refuses properties that break their schema (S1.6, commit.2)', () => {
    const box = placingBox();
    box.end('Placed', { properties: { label: 'x', place: 'here' } });
    expect(box.snapshot).toMatchObject({ state: 'Placing', lastError: { code: 'constraint_violated' } });
    expect(box.snapshot.lastError?.message).toContain('properties.place');
  });

  it('refuses to let the snapshot outgrow its budget, and names the largest parts (Q1, commit.4)', () => {
    const box = placed();
    box.raise('relabel', { label: 'y' });
    box.end(undefined, { properties: { label: 'y'.repeat(600 * 1024) } });
    expect(box.snapshot).toMatchObject({ state: 'Placed', lastError: { code: 'snapshot_too_large' } });
    expect(box.snapshot.lastError?.message).toMatch(/with 60\d KB \(maximum 512 KB; largest: properties\.label 601 KB/);
    expect(box.snapshot.properties).toMatchObject({ label: 'none' });
  });

  it('lets an action make a snapshot smaller that is too large already (Q1, commit.4)', () => {
    const box = placed();
    box.snapshot = { ...box.snapshot, properties: { label: 'y'.repeat(700 * 1024) } };
    box.raise('relabel', { label: 'y' });
    box.end(undefined, { properties: { label: 'y'.repeat(600 * 1024) } });
    expect(box.snapshot.lastError).toBeUndefined();
  });

  it.each([
    ['on 2,001 entities', 2_001, '', 'events on so many entities that 2,001 have yet to accept one (maximum 2,000)'],
    [
      'with 4 MB',
      20,
      'y'.repeat(210 * 1024),
      'events whose parameters have 4,201 KB of JSON (maximum 4,096 KB) together',
    ],
  ])('fails an action that raises events %s (S1.5a, commit.4)', (_, count, label, problem) => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: [] });
    const raises = Array.from({ length: count }, (_each, number) => ({
      to: { type: 'Box', key: `k-${number}` },
      creates: true,
      judges: true,
      request: { id: `order-${number}`, event: 'place', params: { label } },
    }));
    room.end(undefined, { raises });
    expect(room.snapshot).toMatchObject({ successors: [], lastError: { code: 'too_many_raised' } });
    expect(room.snapshot.lastError?.message).toContain(`raised ${problem}. Raise fewer at a time`);
    const another = new Puppet(Room);
    another.raise('furnish', { boxes: [] });
    another.end(undefined, { raises: raises.slice(1) });
    expect(another.snapshot).toMatchObject({ successors: { length: count - 1 } });
  });

  it('re-enters its state when it names no target, and needs no declaration for that (S3.1)', () => {
    const box = placed();
    const { version } = box.snapshot;
    box.raise('relabel', { label: 'y' });
    box.end(undefined, { properties: { label: 'y' } });
    expect(box.snapshot).toMatchObject({ state: 'Placed', version: version + 1, properties: { label: 'y' } });
  });

  it('re-enters its state when it throws, and reports the error (S3.2, commit.3)', () => {
    const box = placed();
    box.raise('break');
    box.throws('oops');
    expect(box.snapshot).toMatchObject({ state: 'Placed', lastError: { code: 'oops' } });
    expect(box.snapshot.ledger.recent.at(-1)?.outcome).toMatchObject({ state: 'Placed', error: { code: 'oops' } });
  });

  it('tries a failed automatic action again with growing delay, then goes where exhaustion leads (S3.5)', () => {
    const box = placingBox();
    const delays: number[] = [];
    for (let attempt = 1; attempt < 4; attempt++) {
      expect(box.snapshot.attempt).toBe(attempt);
      box.throws('shelf_full');
      delays.push(box.snapshot.nextAttemptAt! - box.now);
      box.now = box.snapshot.nextAttemptAt!;
      box.startAutomatic();
    }
    expect(delays).toEqual([100, 200, 400]);
    box.throws('shelf_full');
    expect(box.snapshot).toMatchObject({ state: 'Clearing', attempt: 0 });
    box.startAutomatic();
    box.end('Lost');
    expect(box.snapshot.ledger.recent[0]?.outcome).toMatchObject({
      state: 'Lost',
      health: 'error',
      error: { code: 'shelf_full' },
    });
  });

  it('makes no further attempt when the action gives up (S3.5)', () => {
    const box = placingBox();
    box.throws('hopeless', true);
    expect(box.snapshot.state).toBe('Clearing');
  });

  it('goes where exhaustion leads also when the action has never failed, but stays where it is (S3.5)', () => {
    const box = placingBox();
    for (let attempt = 1; attempt < 4; attempt++) {
      box.end();
      box.now = box.snapshot.nextAttemptAt!;
      box.startAutomatic();
    }
    box.end();
    const error = { code: 'attempts_exhausted' };
    expect(box.snapshot).toMatchObject({ state: 'Clearing', engagements: [{ id: 'place-id', error }] });
  });

  it('names resource calls by an entry that all attempts share, and that another entry does not (S3.4)', () => {
    const box = placingBox();
    const { entry } = box.snapshot;
    box.throws('shelf_full');
    expect(box.snapshot.entry).toBe(entry);
    box.now = box.snapshot.nextAttemptAt!;
    box.startAutomatic();
    box.end('Placed');
    expect(box.snapshot.entry).toBe(entry + 1);
  });

  it('forgets an error that a retry made good (S5.1)', () => {
    const box = placingBox();
    box.throws('shelf_full');
    box.now = box.snapshot.nextAttemptAt!;
    box.startAutomatic();
    box.end('Placed');
    expect(box.snapshot.lastError).toBeUndefined();
    expect(box.snapshot.ledger.recent[0]?.outcome?.error).toBeUndefined();
  });

  it('needs no operation for what settles in the task that admitted it', () => {
    const box = placed();
    box.raise('relabel', { label: 'y' });
    box.end();
    expect(box.taken()).toEqual([]);
  });

  it('opens the operation before anyone can tell it of what was raised (S4.2, outbox.1)', () => {
    const room = new Puppet(Room);
    room.raise('furnish', { boxes: ['a'] });
    room.end('Furnishing');
    room.startAutomatic();
    expect(room.taken()).toEqual([]);
    const request = { id: 'order-a', event: 'place' };
    room.end('Waiting', { raises: [{ to: { type: 'Box', key: 'a' }, creates: true, request, judges: true }] });
    expect(room.taken().map(({ kind }) => kind)).toEqual(['open', 'create', 'tell']);
  });

  it('tries an automatic action again that left too much behind (Q1, commit.4)', () => {
    const box = placingBox();
    box.end('Placed', { properties: { label: 'y'.repeat(600 * 1024) } });
    expect(box.snapshot).toMatchObject({ state: 'Placing', attempt: 1, lastError: { code: 'snapshot_too_large' } });
  });

  it('is recorded with what it came to (S5.1)', () => {
    const outcomes = (box: Puppet) => box.records.flatMap((each) => (each.kind === 'transition' ? [each.outcome] : []));
    const automatic = placingBox();
    automatic.throws('shelf_full');
    automatic.pass();
    automatic.startAutomatic();
    automatic.throws('shelf_full', true);
    expect(outcomes(automatic)).toEqual(['success', 'failed', 'exhausted']);
    const box = placed();
    box.raise('break');
    box.throws('oops');
    box.raise('look', undefined, { id: 'second' });
    box.end('Placed', { error: { kind: 'needs_operator', code: 'half', message: 'half' } });
    expect(outcomes(box).slice(-2)).toEqual(['failed', 'error']);
    expect(box.records.at(-2)).toMatchObject({ kind: 'transition', error: { code: 'half' } });
  });
});
