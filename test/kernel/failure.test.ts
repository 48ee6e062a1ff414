import { describe, expect, it } from 'vitest';
import { describeSnapshot } from '../../src/kernel/explain/describe.js';
import { Box } from '../entities/box.js';
import { Puppet } from '../support/entities.js';

/** A box that has lost its place for good, by the operation `place-id`. */
function lost(): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'l' });
  box.end('Placing');
  box.now = 2_000;
  box.startAutomatic();
  box.throws('shelf_full', true);
  box.now = 3_000;
  box.startAutomatic();
  box.end('Lost');
  return box;
}

describe('the last failure of an entity (S5.4)', () => {
  it('is kept with its time and operation, also when other states have followed', () => {
    const box = lost();
    expect(box.snapshot).toMatchObject({ state: 'Lost', engagements: [] });
    expect(box.snapshot.lastError).toBeUndefined();
    expect(box.snapshot.failure).toEqual({
      ...{ kind: 'retryable', code: 'shelf_full', message: 'shelf_full' },
      ...{ at: 2_000, operation: 'place-id' },
    });
    expect(describeSnapshot(Box, box.snapshot)).toContain(
      'Last failure, at 1970-01-01T00:00:02.000Z in operation place-id: `shelf_full` shelf_full',
    );
  });

  it('is not an error that a later attempt has made good', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'l' });
    box.end('Placing');
    box.startAutomatic();
    box.throws('shelf_full');
    expect(box.snapshot.failure).toBeUndefined();
    box.pass();
    box.startAutomatic();
    box.end('Placed');
    expect(box.snapshot.failure).toBeUndefined();
  });

  it('of an event is over when the entity has rested well after another', () => {
    const box = new Puppet(Box);
    box.raise('place', { label: 'l' });
    box.end('Placing');
    box.startAutomatic();
    box.end('Placed');
    box.raise('break');
    box.throws('oops');
    expect(box.snapshot).toMatchObject({ state: 'Placed', failure: { code: 'oops', operation: 'break-id' } });
    box.raise('relabel', { label: 'm' });
    box.end();
    expect(box.snapshot.failure).toBeUndefined();
  });
});
