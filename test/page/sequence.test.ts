import { describe, expect, it } from 'vitest';
import type { CallRow, EventRow } from '../../src/page/api/shapes.js';
import { lineInWords, sequenceOf } from '../../src/page/views/operation/sequence-of.js';

const words = { event: (_: string, event: string) => event, state: (_: string, state: string) => state };
const at = (second: number) => new Date(second * 1_000).toISOString();

function event(position: string, key: string, start: number, more: Partial<EventRow> = {}): EventRow {
  return {
    ...{ event_id: start, request_id: 'r', workflow_position: position, state_machine_type: 'Box', keys: key },
    ...{ event: 'place', event_type: 'raised', start_state: 'Absent', end_state: 'Placed', start_time: at(start) },
    ...{ end_time: at(start + 1), exception_details: null },
    ...more,
  };
}

const call = (key: string, start: number, code: string | null): CallRow => ({
  ...{ event_id: 1, entity_type: 'Box', entity_key: key, call_name: 'shelf.put', mode: 'activity' },
  ...{ start_time: at(start), end_time: at(start + 1), error_code: code, error_message: null },
});

describe('the sequence of an operation (S6.3)', () => {
  it('leads from who raises to who is raised on, by the tree, in the order of time', () => {
    const events = [
      event('1.1', 'b', 3),
      event('1', 'a', 1),
      event('1', 'a', 9, { event: 'placed', event_type: 'subscription' }),
    ];
    const { lanes, lines, more } = sequenceOf(events, [call('a', 2, null), call('a', 4, 'shelf_full')], words);
    expect(lanes).toEqual(['Caller', 'Box/a', 'Box/b', 'Resources']);
    expect(lines.map(lineInWords)).toEqual([
      'Caller raises place on Box/a',
      'Box/a calls shelf.put',
      'Box/a raises place on Box/b',
      'Box/a calls shelf.put: shelf_full',
      'Box/a raises placed by itself',
    ]);
    expect(lines.map(({ failed }) => failed)).toEqual([false, false, false, true, false]);
    expect(more).toEqual({ lanes: 0, lines: 0 });
  });

  it('draws an action that was aborted as nothing that went wrong: that was asked for', () => {
    const outcomes = ['aborted', 'failed'] as const;
    const transitions = outcomes.map((outcome, index) => ({
      ...{ event_id: 1, transition_ordinal: index, '@reeve.version': `l.${index}`, transition_type: 'AutoAction' },
      ...{ action_name: 'put', start_state: 'Full', end_state: 'Full', end_state_health: 'normal', outcome },
      ...{ transition_start_time: at(1), transition_time: at(2), state_entry_time: at(1), retry_count: 0 },
      ...{ start_state_entry_time: at(1), error_id: 1 },
    }));
    const { lines } = sequenceOf([event('1', 'a', 1, { transitions })], [], words);
    expect(lines.map(({ text, failed }) => [text, failed])).toEqual([
      ['place', false],
      ['Full (aborted)', false],
      ['Full (failed)', true],
    ]);
  });

  it('draws as much as can be read, and counts the rest', () => {
    const events = Array.from({ length: 400 }, (_, index) => event(`1.${index}`, `box-${index % 20}`, index));
    const { lanes, lines, more } = sequenceOf([event('1', 'root', 0), ...events], [], words);
    expect(lanes).toHaveLength(13);
    expect(lines).toHaveLength(150);
    expect(more).toEqual({ lanes: 9, lines: 401 - 150 });
  });
});
