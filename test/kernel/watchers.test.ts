import { describe, expect, it } from 'vitest';
import { hear } from '../../src/kernel/turns/hear.js';
import type { Watcher } from '../../src/protocol/request.js';
import type { Look } from '../../src/protocol/successor-messages.js';
import { Box } from '../entities/box.js';
import { Batch } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

const creator: Watcher = { type: 'Room', key: 'creator', life: 'room-life', judges: false };
const raiser = (key: string, more: Partial<Watcher> = {}): Watcher => ({ ...creator, key, ...more });

/** A box that another entity has created, and that has been placed. */
function placed(from: Watcher = creator): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' }, { operation: 'furnish', from });
  box.end('Placing');
  box.startAutomatic();
  box.end('Placed');
  return box;
}

/** Looks at the box, in an operation. */
function look(box: Puppet, operation: string, from?: Watcher): readonly string[] {
  box.taken();
  const id = `look-${operation}${from ? '' : `-${box.snapshot.version}`}`;
  box.raise('look', undefined, { id, operation, ...(from && { from }) });
  box.end('Placed');
  return toldBy(box);
}

/** Tells who has been sent a report since the last time. */
function toldBy(box: Puppet): readonly string[] {
  return box
    .taken()
    .flatMap((effect) => (effect.kind === 'send' && effect.message.kind === 'report' ? [effect.to.key] : []));
}

const names = (box: Puppet) => box.snapshot.watchers.map(({ key }) => key);

describe('whoever raises an event', () => {
  it('is told once where it settles, and then watches no more (S4.4, watchers.1)', () => {
    const box = placed();
    expect(look(box, 'first', raiser('a'))).toEqual(['a']);
    expect(names(box)).not.toContain('a');
    expect(look(box, 'second')).toEqual([]);
  });

  it('costs the same for each event, however many have raised one before (Q1, watchers.1)', () => {
    const box = placed();
    for (let number = 0; number < 100; number++) {
      expect(look(box, `op-${number}`, raiser(`raiser-${number}`))).toEqual([`raiser-${number}`]);
      expect(box.snapshot.watchers).toHaveLength(1);
    }
  });

  it('and judges is told of what follows in its operation, and until another one has settled (S4.2, S4.3, watchers.1)', () => {
    const box = placed();
    const judge = raiser('judge', { judges: true });
    expect(look(box, 'op', judge)).toEqual(['judge']);
    expect(look(box, 'op')).toEqual(['judge']);
    expect(look(box, 'another')).toEqual(['judge']);
    expect(look(box, 'op')).toEqual([]);
  });

  it('watches for life where it says so, in whatever operation (S4.3, S4.4, watchers.2)', () => {
    const box = placed();
    look(box, 'op', raiser('friend', { lasting: true }));
    for (const operation of ['second', 'third', 'fourth']) expect(look(box, operation)).toEqual(['friend']);
  });

  it('is told where an entity settles in the end that rests for its own successors (S4.2, watchers.1)', () => {
    const batch = new Puppet(Batch);
    batch.raise('run', { jobs: [] }, { operation: 'op', from: raiser('a') });
    batch.end('Running');
    expect(toldBy(batch)).toEqual(['a']);
    batch.raise('finished', undefined, { operation: 'another' });
    batch.end('Finished');
    expect(toldBy(batch)).toEqual(['a']);
    expect(batch.snapshot.watchers).toMatchObject([{ creator: true, onlyEnd: true }]);
  });

  it('is told on from a waiting state, though its own operation is over (S4.4, watchers.1)', () => {
    const batch = new Puppet(Batch);
    batch.raise('run', { jobs: [] }, { operation: 'another' });
    batch.snapshot = { ...batch.snapshot, watchers: [{ ...raiser('a'), operation: 'over' }] };
    batch.end('Running');
    expect(toldBy(batch)).toEqual(['a']);
    batch.raise('finished', undefined, { operation: 'another' });
    batch.end('Finished');
    expect(toldBy(batch)).toEqual(['a']);
    expect(batch.snapshot.watchers).toEqual([]);
  });

  it('watches while its event waits to run again, after a circle of waiting (S3.8, watchers.1)', () => {
    const box = placed();
    box.raise('look', undefined, { id: 'put-off', operation: 'op', from: raiser('a') });
    const { running, engagements, ...rest } = box.snapshot;
    const postponed = { running: running!, at: 9_000, entry: rest.entry, engagement: engagements.at(-1)! };
    box.snapshot = { ...rest, engagements: [], postponed, reservation: reservedBy('b') };
    box.raise('look', undefined, { id: 'of-the-owner', operation: 'other', from: raiser('b') });
    box.end('Placed');
    expect(names(box)).toContain('a');
    expect(names(box)).not.toContain('b');
  });
});

const reservedBy = (key: string) => ({
  ...{ wait: 'w', owner: { type: 'Room', key, life: 'room-life' }, operation: 'other', fence: 1, until: 60_000 },
  ...{ hold: 'action' as const, used: false, since: 0, looks: 0 },
});

describe('the creator of an entity', () => {
  it('is told that it was deleted, and of nothing in between (S3.3, watchers.3)', () => {
    const box = placed();
    expect(toldBy(box)).toEqual(['creator']);
    expect(look(box, 'op', raiser('a'))).toEqual(['a']);
    box.raise('remove');
    box.end('Deleted');
    expect(toldBy(box)).toEqual(['creator']);
  });

  it('watches anew when it raises another event, and stays the creator (watchers.1, watchers.3)', () => {
    const box = placed();
    expect(look(box, 'op', creator)).toEqual(['creator']);
    expect(box.snapshot.watchers).toMatchObject([{ key: 'creator', creator: true, onlyEnd: true }]);
  });

  it('is whoever came first, also without an event, and in that life (S2.1, watchers.3)', () => {
    const box = new Puppet(Box);
    box.comeToBe({ id: 'c', event: 'created', operation: 'op', from: creator });
    expect(box.snapshot.watchers).toMatchObject([{ key: 'creator', creator: true }]);
    const alone = new Puppet(Box);
    alone.comeToBe();
    alone.raise('place', { label: 'x' }, { operation: 'op', from: raiser('a') });
    expect(alone.snapshot.watchers[0]).not.toHaveProperty('creator');
    const again = placed();
    look(again, 'op', { ...creator, life: 'another-life' });
    expect(again.snapshot.watchers).toEqual([]);
  });
});

describe('whoever looks after an entity', () => {
  const ask = (more: Partial<Look> = {}): Look => ({ kind: 'look', from: raiser('a'), request: 'look-op', ...more });

  it('is told where it settles next, also when it was no watcher any more (S4.4, watchers.4)', () => {
    const box = placed();
    look(box, 'op', raiser('a'));
    box.apply(hear(Box, box.snapshot, ask(), box.now));
    expect(look(box, 'second')).toEqual(['a']);
    expect(look(box, 'third')).toEqual([]);
  });

  it('changes nothing where it watches already, or means another entity (S4.4)', () => {
    const box = placed();
    look(box, 'op', raiser('a', { lasting: true }));
    expect(hear(Box, box.snapshot, ask(), box.now).snapshot).toBe(box.snapshot);
    const stranger = ask({ from: raiser('b'), request: 'never-heard-of', life: 'another' });
    expect(hear(Box, box.snapshot, stranger, box.now).snapshot).toBe(box.snapshot);
  });

  it('makes a creator hear of more than the end (watchers.3, watchers.4)', () => {
    const box = placed();
    look(box, 'first');
    box.apply(hear(Box, box.snapshot, ask({ from: creator, request: 'place-id' }), box.now));
    expect(box.snapshot.watchers).toStrictEqual([{ ...creator, operation: 'first', creator: true }]);
    expect(look(box, 'op')).toEqual(['creator']);
    expect(box.snapshot.watchers).toMatchObject([{ creator: true, onlyEnd: true }]);
  });
});
