import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { all, any, defineEntity, initial, or, stable, terminal, unstable } from '../../src/definition/index.js';
import { entityRecord } from '../../src/kernel/explain/entity-record.js';
import { stuckEntity } from '../../src/kernel/explain/stuck.js';
import type { EngagementOutcome } from '../../src/protocol/outcome.js';
import { Box } from '../entities/box.js';
import { Lease } from '../entities/lease.js';
import { Puppet } from '../support/entities.js';

/** A thing that waits for its boxes to stand, and knows no other way on; or for one of two to. */
const Cupboard = defineEntity('Cupboard', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Empty: initial(),
    Waiting: stable({ waiting: true }),
    Hurrying: stable({ waiting: true, deadline: { after: '1h', raise: 'filled' } }),
    Choosing: stable({ waiting: true }),
    Full: terminal(),
  },
  events: {
    fill: { in: 'Empty' },
    filled: { in: ['Waiting', 'Hurrying'] },
    chosen: { in: 'Choosing' },
  },
  actions: {
    fill: { on: 'fill', in: 'Empty', to: ['Waiting', 'Hurrying', 'Choosing'] },
    finish: { on: 'filled', in: ['Waiting', 'Hurrying'], to: 'Full' },
    choose: { on: 'chosen', in: 'Choosing', to: 'Full' },
  },
  subscriptions: {
    filled: { when: all({ of: Box, in: 'Placed' }), raise: 'filled' },
    chosen: { when: or(any({ key: 'a', in: 'Placed' }), any({ key: 'b', in: 'Placed' })), raise: 'chosen' },
  },
});

/** A thing that gives up after two attempts, for good. */
const Mill = defineEntity('Mill', {
  key: z.string(),
  properties: z.object({}),
  states: {
    Still: initial(),
    Grinding: unstable({ retry: { attempts: 2, delay: '1s' } }),
    Ground: terminal(),
  },
  events: { grind: { in: 'Still' } },
  actions: { begin: { on: 'grind', in: 'Still', to: 'Grinding' }, grind: { in: 'Grinding', to: 'Ground' } },
});

const settled = (more: Partial<EngagementOutcome>): EngagementOutcome => ({
  ...{ state: 'Placed', version: 2, health: 'normal', waiting: false },
  ...more,
});

/** A cupboard that rests for its boxes, and what these have told. */
function cupboard(state: string, told: Readonly<Record<string, EngagementOutcome | 'rejected' | 'nothing'>>): Puppet {
  const puppet = new Puppet(Cupboard);
  puppet.raise('fill');
  puppet.now = 5_000;
  const raises = Object.keys(told).map((key) => ({
    ...{ to: { type: 'Box', key }, creates: true, judges: true },
    request: { id: `order-${key}`, event: 'place' },
  }));
  puppet.end(state, { raises });
  for (const [key, outcome] of Object.entries(told)) {
    if (outcome === 'nothing') continue;
    const rejection = { code: 'no', message: 'no', entity: `Box/${key}`, event: 'place' };
    puppet.report({
      ...{ kind: 'report', from: { type: 'Box', key, life: `life-${key}` }, toLife: 'life-1', version: 2 },
      outcome: outcome === 'rejected' ? settled({ rejection, version: 0 }) : outcome,
      ended: [`order-${key}`],
    });
  }
  return puppet;
}

function mill(failures: number): Puppet {
  const puppet = new Puppet(Mill);
  puppet.raise('grind');
  puppet.end('Grinding');
  for (let failure = 0; failure < failures; failure++) {
    puppet.startAutomatic();
    puppet.throws('no_wind');
    if (failure + 1 < failures) puppet.pass();
  }
  return puppet;
}

function exhaustedLease(): Puppet {
  const lease = new Puppet(Lease);
  lease.raise('request');
  lease.end('Granting');
  lease.startAutomatic();
  lease.throws('no_ground', true);
  return lease;
}

const LOST = settled({ state: 'Placing', health: 'error', lost: true });

describe('an entity that is stuck (S5.4)', () => {
  it.each<{ readonly what: string; readonly puppet: () => Puppet; readonly stuck: unknown }>([
    { what: 'has used up its attempts', puppet: () => mill(2), stuck: { reason: 'exhausted', since: 2_000 } },
    { what: 'has an attempt left', puppet: () => mill(1), stuck: undefined },
    { what: 'has none left, and a deadline that leads on', puppet: exhaustedLease, stuck: undefined },
    {
      what: 'rests for a successor that is lost',
      puppet: () => cupboard('Waiting', { a: LOST }),
      stuck: { reason: 'dead_end', since: 5_000, message: expect.stringContaining('Box/a') },
    },
    {
      what: 'rests for none at all',
      puppet: () => cupboard('Waiting', {}),
      stuck: { reason: 'dead_end', since: 5_000 },
    },
    {
      what: 'rests for one that is lost and one that may come',
      puppet: () => cupboard('Waiting', { a: LOST, b: 'nothing' }),
      stuck: undefined,
    },
    {
      what: 'rests for one that is lost, beside one that came',
      puppet: () => cupboard('Waiting', { a: LOST, b: settled({}) }),
      stuck: { reason: 'dead_end' },
    },
    { what: 'rests for one, with a deadline', puppet: () => cupboard('Hurrying', { a: LOST }), stuck: undefined },
    {
      what: 'has two ways on, of which one is left',
      puppet: () => cupboard('Choosing', { a: LOST, b: 'nothing' }),
      stuck: undefined,
    },
    {
      what: 'has two ways on, of which none is left',
      puppet: () => cupboard('Choosing', { a: LOST, b: LOST }),
      stuck: { reason: 'dead_end' },
    },
    {
      what: 'rests for one that has settled elsewhere, and may have timers',
      puppet: () => cupboard('Waiting', { a: settled({ state: 'Clearing' }) }),
      stuck: undefined,
    },
  ])('is told as such, and no other: $what', ({ puppet, stuck }) => {
    const { entity, snapshot } = puppet();
    const found = stuckEntity(entity, snapshot);
    if (stuck === undefined) expect(found).toBeUndefined();
    else expect(found).toMatchObject(stuck as object);
    expect(entityRecord(entity, snapshot, 9_000).stuckSince).toBe(found?.since);
  });

  it('says what a person does about it', () => {
    const { entity, snapshot } = mill(2);
    expect(stuckEntity(entity, snapshot)).toMatchObject({
      message: "all attempts of 'grind' are used up",
      whatToDo: expect.stringContaining("'reeve retry Mill/k'"),
    });
  });

  it('is so no more while an operator has it try again', () => {
    const puppet = mill(2);
    puppet.now = 60_000;
    puppet.raise('reeve_retry');
    expect(stuckEntity(puppet.entity, puppet.snapshot)).toBeUndefined();
    puppet.throws('no_wind', true);
    expect(stuckEntity(puppet.entity, puppet.snapshot)).toMatchObject({ since: 60_000 });
  });
});
