import { describe, expect, it } from 'vitest';
import { postpone } from '../../src/kernel/actions/postpone.js';
import { entityRecord } from '../../src/kernel/explain/entity-record.js';
import { viewOf } from '../../src/kernel/rules/reading.js';
import { healthOf, isSettled, standingOf, type Standing } from '../../src/kernel/rules/standing.js';
import { hear } from '../../src/kernel/turns/hear.js';
import { takeStep } from '../../src/kernel/turns/next.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { attributesOfEntity } from '../../src/temporal/shown-attributes.js';
import { Box, Room } from '../entities/box.js';
import { Press } from '../entities/press.js';
import { Puppet } from '../support/entities.js';

/** A box that is about to be placed; with `attempts`, so many have failed. */
function placing(attempts = 0): Puppet {
  const box = new Puppet(Box);
  box.raise('place', { label: 'x' });
  box.end('Placing');
  for (let number = 0; number < attempts; number++) {
    if (number > 0) box.pass();
    box.startAutomatic();
    box.throws('shelf_full');
  }
  return box;
}

function placed(): Puppet {
  const box = placing();
  box.startAutomatic();
  box.end('Placed', { properties: { place: 1, label: 'x' } });
  return box;
}

function waiting(): Puppet {
  const room = new Puppet(Room);
  room.raise('furnish', { boxes: ['a'] });
  room.end('Furnishing');
  room.startAutomatic();
  room.end('Waiting');
  return room;
}

function exhausted(): Puppet {
  const press = new Puppet(Press);
  press.raise('press');
  press.end('Pressing');
  press.startAutomatic();
  press.throws('jammed');
  return press;
}

function running(): Puppet {
  const box = placed();
  box.raise('relabel', { label: 'y' });
  return box;
}

function postponed(): Puppet {
  const box = running();
  box.apply(postpone(box.snapshot, ['Box/k', 'Box/z'], box.now));
  return box;
}

const owner = { type: 'Clerk', key: 'one', life: 'clerk-life' };
const by = 'the reservation by Clerk/one';

/** The same, reserved by a clerk who has raised nothing. */
function reserved(puppet: Puppet): Puppet {
  const message = { kind: 'reserve', wait: 'w', from: owner, operation: 'op', leaseMs: 9_000, hold: 'action' } as const;
  puppet.apply(hear(puppet.entity, puppet.snapshot, { ...message, until: puppet.now + 9_000 }, puppet.now));
  puppet.apply(takeStep(puppet.entity, puppet.snapshot, 'reservation', puppet.now));
  expect(puppet.snapshot.reservation?.owner).toEqual(owner);
  return puppet;
}

/** With something in the snapshot. */
function having(puppet: Puppet, more: Partial<Snapshot>): Puppet {
  puppet.snapshot = { ...puppet.snapshot, ...more };
  return puppet;
}

const judgement = { id: 'j', operations: ['op'] };
const waits = { waiting: [{ id: 'late', event: 'look' }] };
const from = { ...owner, judges: false };
const doubted = [{ kind: 'raise' as const, key: 'k', request: { id: 'old', event: 'look', operation: 'op', from } }];

describe('what an entity is doing (S6.1)', () => {
  it.each<[string, () => Puppet, Standing, boolean]>([
    ['running', running, { kind: 'running', action: 'relabel' }, false],
    ['postponed', postponed, { kind: 'postponed', action: 'relabel', at: expect.any(Number) as never }, false],
    ['pausing', () => placing(), { kind: 'pausing', at: 1_000 }, false],
    ['retrying', () => placing(1), { kind: 'retrying', at: expect.any(Number) as never }, false],
    ['exhausted', exhausted, { kind: 'exhausted' }, true],
    ['waiting', waiting, { kind: 'waiting' }, false],
    ['resting', placed, { kind: 'resting' }, true],
    ['resting, and reserved', () => reserved(placed()), { kind: 'resting' }, true],
    ['held: about to act', () => reserved(placing()), { kind: 'held', behind: by }, false],
    ['held: an event waits', () => having(reserved(placed()), waits), { kind: 'held', behind: by }, false],
    [
      'held: a judgement is owed',
      () => having(reserved(placed()), { judgements: [judgement] }),
      { kind: 'held', behind: by },
      false,
    ],
    [
      'held: the run ends',
      () => having(placed(), { ...waits, rollingOver: true }),
      { kind: 'held', behind: 'the next run' },
      false,
    ],
    ['held: the store is asked', () => having(placed(), { doubted }), { kind: 'held', behind: 'the store' }, false],
  ])('%s', (_, make, standing, settled) => {
    const { entity, snapshot, now } = make();
    expect(standingOf(entity, snapshot)).toEqual(standing);
    expect(isSettled(entity, snapshot)).toBe(settled);
    // Anyone who tells of it says the same.
    expect(entityRecord(entity, snapshot, now).settled).toBe(settled);
    expect(viewOf(entity, snapshot)?.settled).toBe(settled);
    expect(attributesOfEntity(entity, snapshot)).toMatchObject({ ReeveSettled: [settled] });
  });

  it('is in error in a state that is, or once all attempts are used up (standing.3)', () => {
    const health = ({ entity, snapshot }: Puppet) => healthOf(entity, snapshot);
    expect([placed(), placing(1), exhausted()].map(health)).toEqual(['normal', 'normal', 'error']);
    expect(health(having(placed(), { state: 'Lost' }))).toBe('error');
  });
});
