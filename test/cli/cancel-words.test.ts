import { expect, it } from 'vitest';
import type { DescribedType } from '../../src/service/routes/documentation.js';
import { cancelWords } from '../../src/cli/commands/operations/cancel.js';

const type = (cancel?: string): DescribedType => ({
  ...{ path: '', states: [], creation: [], displayNames: { states: {}, events: {} } as DescribedType['displayNames'] },
  ...(cancel !== undefined && { cancel }),
});
const part = (entity: string) => ({
  ...{ entity, state: 'Making', version: 1, health: 'normal' as const, waiting: false, lost: false },
});
const types = new Map([
  ['Box', type()],
  ['Room', type('stop')],
]);

it('who asks to cancel what nothing answers is told that it goes on (S4.7)', () => {
  const operation = { request_id: 'r', name: 'place Box/a', participants: [] };
  const silent = 'r continues: Box/a declares no event that handles a request to cancel';
  expect(cancelWords(operation, types)).toBe(silent);
  expect(cancelWords({ ...operation, participants: [part('Box/b')] }, types)).toMatch(
    /^r continues: none of its entities declares an event /,
  );
  // One that answers, and one of which nothing is known.
  for (const entity of ['Room/r', 'Other/o']) {
    expect(cancelWords({ ...operation, participants: [part(entity)] }, types)).toBe('asked to cancel r');
  }
});
