import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { EntityRepresentation } from '../../src/cli/api/entity.js';
import { colours } from '../../src/cli/colours.js';
import { formatAsOf, formatEntity } from '../../src/cli/output.js';
import { describeState } from '../../src/cli/state-words.js';
import type { StuckOne } from '../../src/client/explain/explanation.js';

const time = '2026-01-01T00:00:00.000Z';
const entity = (more: Partial<EntityRepresentation>): EntityRepresentation => ({
  ...{
    id: 'Box/a',
    type: 'Box',
    key: 'a',
    life: 'l',
    schema: 1,
    version: 3,
    state: 'Placing',
    health: 'normal',
    settled: false,
  },
  ...{ stuck_since: null, stuck: null, deleted: false, operation: null, created_time: time, state_entry_time: time },
  ...{ properties: {}, links: {}, subordinates: {}, reported_time: time, running: null, attempt: 0, attempts: 4 },
  ...{ next_attempt_time: null, exhausted: false, last_error: null, last_failure: null },
  ...{ waiting: [], reserved_by: null, successors: [] },
  ...{ stale: false, ...more },
});
const stuck: StuckOne = {
  ...{ who: 'Box/b', since: Date.now() - 180_000, reason: 'task_fails' },
  ...{ message: 'its workflow task keeps failing: boom', whatToDo: 'Mend it.' },
};

const shown = (more: Partial<EntityRepresentation>, ones: readonly StuckOne[]) =>
  stripVTControlCharacters(formatEntity({ entity: entity(more), gone: false }, { events: undefined, stuck: ones }));

describe('an entity for people', () => {
  it('says what is stuck of all that it waits for, since when and what to do (S5.4)', () => {
    const text = shown({}, [stuck]);
    expect(text).toContain('Box/b is stuck for 3 min: its workflow task keeps failing: boom\n  Mend it.\n');
    expect(text).toMatch(/settled +no, stuck/);
  });

  it('says which worker has run it last, on which build (S5.4)', () => {
    const lastTask = { at: Date.parse(time), worker: '4203@host', build: 'b7' };
    const told = formatEntity({ entity: entity({}), gone: false }, { events: undefined, stuck: [], lastTask });
    expect(stripVTControlCharacters(told)).toMatch(/last run by +4203@host, of build 'b7'\n +at \d{4}-/);
  });

  it('that has used up its attempts is not said to have settled (S5.4)', () => {
    const given = { settled: true, exhausted: true, stuck_since: time, attempt: 4 };
    expect(shown(given, [])).toMatch(/settled +no, stuck/);
    const state = stripVTControlCharacters(describeState(entity(given), colours));
    expect(state).toContain('stuck: gave up after attempt 4 of 4');
  });

  it('in an error state says why, when and in which operation (S5.4)', () => {
    const last_failure = { code: 'disk_full', message: 'No space is left.', time, operation: 'op-1' };
    const text = shown({ state: 'Failed', health: 'error', settled: true, last_failure }, []);
    expect(text).toMatch(/last failure +disk_full: No space is left\.\n +at \d{4}-\S+ \S+, in operation op-1$/m);
  });

  it('as it was says since when, until when, by what, and what is not kept with each version (S5.1)', () => {
    const text = stripVTControlCharacters(
      formatAsOf({
        ...{ type: 'Box', key: 'a', life: 'l', version: 7, state: 'Placed', health: 'normal', time, until_time: null },
        ...{ operation: 'op-1', event: 'place', action_name: 'put', outcome: 'success' },
        ...{ properties: { label: 'x' }, links: {}, subordinates: { lids: { top: 1 } }, left_out: ['properties.text'] },
      }),
    );
    expect(text).toContain('Box/a  Placed  as it was');
    expect(text).toMatch(/until +now/);
    expect(text).toMatch(/by +place, in operation op-1/);
    expect(text).toMatch(/label +x[^]*lids\/top +1[^]*properties\.text/);
  });

  it.each<{ readonly given: Partial<EntityRepresentation>; readonly says: string }>([
    { given: {}, says: 'Placing  waits for successors or an answer' },
    { given: { stuck_since: time }, says: 'Placing  stuck: none of its successors will change state by itself' },
    { given: { settled: true }, says: 'Placing' },
    { given: { running: { action: 'put', since: time } }, says: 'Placing  put' },
  ])('in progress or at rest says what it does: $says', ({ given, says }) => {
    expect(stripVTControlCharacters(describeState(entity(given), colours))).toBe(says);
  });
});
