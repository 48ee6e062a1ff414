import { describe, expect, it } from 'vitest';
import { confirm, defer, owe } from '../../src/kernel/engagements/owed-judgements.js';
import type { Awaited, Snapshot } from '../../src/protocol/snapshot.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

const judgement = { id: 'j', operations: ['one', 'two'] };
const EVENT: Awaited = { kind: 'event', engagement: 'e', event: 'add', wait: 'w', on: 'Room/r', until: 9_000 };
const VIEW: Awaited = { kind: 'view', wait: 'w', on: 'Room/r', until: 9_000 };

/** A box whose action waits for these. */
function waiting(...awaits: readonly Awaited[]): Snapshot {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' });
  return { ...box.snapshot, running: { ...box.snapshot.running!, ...(awaits.length > 0 && { awaits }) } };
}

const tells = (message: object) => ['one', 'two'].map((operation) => ({ kind: 'tell', operation, message }));
const deferred = tells({ kind: 'deferred', by: 'Box/k', judgements: ['j'] });

describe('a judgement that is owed (S4.2)', () => {
  it('is owed once, however often the report comes', () => {
    const { snapshot } = owe(waiting(), judgement, ['x']);
    expect(snapshot.judgements).toEqual([judgement]);
    expect(owe(snapshot, { ...judgement, operations: [] }, [])).toEqual({ snapshot, effects: [] });
    expect(owe(snapshot, { ...judgement, id: 'k' }, []).snapshot.judgements).toHaveLength(2);
  });

  it('is confirmed to each operation where nobody is left to judge', () => {
    expect(confirm(judgement)).toEqual(tells({ kind: 'judged', judgements: ['j'], caused: [] }));
    expect(confirm(undefined)).toEqual([]);
  });

  it('is said to come later by an entity whose action waits, once (S3.8, owed-judgements.1)', () => {
    const owing = owe(waiting(EVENT), judgement, ['x']);
    expect(owing.effects).toEqual(deferred);
    expect(defer(owing.snapshot).effects).toEqual([]);
  });

  it('is said to come later as soon as the action begins to wait (S3.8, owed-judgements.1)', () => {
    const { snapshot, effects } = owe(waiting(), judgement, ['x']);
    expect(effects).toEqual([]);
    expect(defer(snapshot).effects).toEqual([]);
    expect(defer({ ...snapshot, running: waiting(EVENT).running! }).effects).toEqual(deferred);
  });

  it('is said to come later by an entity that a reservation holds back (S3.6, owed-judgements.1)', () => {
    const { running: _, ...idle } = waiting();
    const owner = { type: 'Clerk', key: 'c', life: 'l' };
    const reservation = { owner, wait: 'w', operation: 'op', until: 9_000, hold: 'action', used: false } as never;
    expect(owe({ ...idle, reservation }, judgement, ['x']).effects).toEqual(deferred);
    expect(owe(idle, judgement, ['x']).effects).toEqual([]);
  });

  it('needs no word while the action only reads, or where all that has ended is its own (owed-judgements.2)', () => {
    expect(owe(waiting(VIEW), judgement, ['x']).effects).toEqual([]);
    expect(owe(waiting(EVENT), judgement, ['e']).effects).toEqual([]);
    expect(owe(waiting(EVENT), judgement, ['e', 'x']).effects).toEqual(deferred);
    expect(owe(waiting(EVENT), judgement, []).effects).toEqual(deferred);
  });
});
