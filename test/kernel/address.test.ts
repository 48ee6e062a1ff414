import { describe, expect, it } from 'vitest';
import { keptAddresses, makeAddress, openedAddresses } from '../../src/kernel/callbacks/address.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Job } from '../entities/job.js';
import { Puppet } from '../support/entities.js';

/** A job that works in its state, and is at this action. */
const at = (snapshot: Snapshot, action: string): Snapshot => ({
  ...snapshot,
  state: 'Working',
  running: { action, kind: action === 'work' ? 'automatic' : 'event', startedAt: 1 },
});
const made = makeAddress(at(new Puppet(Job).snapshot, 'work'), { id: 'a', event: 'stop', withinMs: 10 }, 1).snapshot;

describe('an address (A2)', () => {
  it('is left as it is by an event between two attempts of the action that has made it (address.3)', () => {
    const between = at(made, 'stop');
    for (const well of [true, false]) {
      expect(keptAddresses(between, well).addresses).toMatchObject([{ id: 'a', open: false }]);
    }
    const again = makeAddress(at(between, 'work'), { id: 'a', event: 'stop', withinMs: 10 }, 5);
    expect(again.made.until).toBe(11);
    expect(openedAddresses(between, true)).toEqual({});
  });

  it('opens when the action ends well that has made it, and is gone when that fails (address.1)', () => {
    expect(keptAddresses(made, true).addresses).toMatchObject([{ id: 'a', open: true }]);
    expect(openedAddresses(made, true).addresses).toMatchObject([{ id: 'a', open: true }]);
    expect(keptAddresses(made, false)).toEqual({});
  });
});
