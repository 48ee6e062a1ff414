import { expect, it } from 'vitest';
import { entityConcern, eventsThatHelp } from '../../src/service/attention/concerns.js';
import { Volume } from '../entities/volume.js';

const row = { type: 'Volume', key: 'v', state: 'Lent', operation: null } as const;
const need = { since: 0, reason: 'error_state', message: 'it is in the error state Lent' };

it('an entity in an error state is told with the event that its guards let through (S2.2, S5.4)', () => {
  const locked = eventsThatHelp(Volume, { ...row, properties: { lock: { held: true, by: 'ann' } }, links: {} });
  expect(locked).toContain('unlock');
  expect(locked).not.toContain('giveBack');
  const free = eventsThatHelp(Volume, { ...row, properties: { lock: { held: false } }, links: {} });
  expect(free).toContain('giveBack');
  expect(free).not.toContain('unlock');
  // Temporal alone has no contents, so guards cannot be decided.
  expect(eventsThatHelp(Volume, row)).not.toContain('giveBack');
  expect(eventsThatHelp(undefined, row)).toEqual([]);
});

it('the next step is one event, one of several that a person chooses, or none (S5.4)', () => {
  const told = (...events: readonly string[]) => {
    const { what_to_do: whatToDo, command } = entityConcern({ ...row, need }, null, events);
    return [whatToDo, command];
  };
  expect(told('repair')).toEqual(['Fix the cause, then raise repair.', 'reeve raise Volume/v repair']);
  expect(told('take over', 'delete')).toEqual([
    'Fix the cause, then raise one of take over, delete.',
    'reeve explain Volume/v',
  ]);
  expect(told()).toEqual(['Fix the cause. No event is valid on it now.', 'reeve explain Volume/v']);
});
