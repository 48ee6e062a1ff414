import { expect, it } from 'vitest';
import { defineEntity, initial, stable } from '../../src/definition/index.js';
import { z } from 'zod';
import type { Overview } from '../../src/simulation/fact.js';
import { timersInTime } from '../../src/simulation/invariants/timers-in-time.js';
import type { Snapshot } from '../../src/protocol/snapshot.js';
import { Puppet } from '../support/entities.js';

const Clock = defineEntity('Clock', {
  key: z.string(),
  properties: z.object({}),
  states: { Off: initial(), On: stable() },
  events: { start: { in: 'Off' }, tick: { in: 'On' }, stop: { in: 'On' } },
  actions: {
    start: { on: 'start', in: 'Off', to: 'On' },
    tick: { on: 'tick', in: 'On' },
    stop: { on: 'stop', in: 'On', to: 'Off' },
  },
  timers: { second: { every: '1s', raise: 'tick' } },
});

/** Gives the answers of the invariant about a clock at these times, in milliseconds after its tick was due. */
function heard(...moments: readonly (readonly [number, Partial<Snapshot>])[]): readonly (string | undefined)[] {
  const clock = new Puppet(Clock);
  clock.raise('start');
  clock.end('On');
  const { ticks } = clock.snapshot;
  const subject = { entity: Clock, id: 'Clock/k', life: 'life-1' };
  const invariant = timersInTime();
  return moments.map(([late, more]) => {
    const snapshot = { ...clock.snapshot, ...more };
    const entities = () => [{ subject, snapshot, run: 'run-1', long: false }];
    const all: Overview = { now: ticks['second']! + late, entities, records: () => [], operations: () => [] };
    return invariant.hear({ kind: 'paused' }, all);
  });
}

const OVERDUE = `'second' of Clock/k is overdue in On`;

it('finds a tick that is overdue, by more than a clock lags (S4.3)', () => {
  expect(heard([49, {}], [51, {}])).toEqual([undefined, OVERDUE]);
});

it('lets a task end first whose waiting events were withdrawn, and finds one that never ends (S4.3, entity-steps.1)', () => {
  const yielding = { yielding: true } as const;
  const events = [{ id: 'r1', event: 'start' }] as unknown as Snapshot['waiting'];
  expect(heard([500, { ...yielding, waiting: events }], [501, yielding], [502, {}])).toEqual([
    undefined,
    undefined,
    OVERDUE,
  ]);
  expect(heard([500, yielding], [501, yielding], [550, yielding])).toEqual([undefined, undefined, OVERDUE]);
});
