import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { attentionLines } from '../../src/cli/commands/attention.js';
import type { Attention, Concern } from '../../src/service/attention/attention-schema.js';

const now = Date.UTC(2026, 10, 21, 15);
const told = (more: Partial<Attention> = {}): Attention => ({
  ...{ at: new Date(now).toISOString(), items: [], partial: [], workers: null },
  ...more,
});
const shown = (attention: Attention) =>
  attentionLines(attention, { now, utc: true }).map((line) => stripVTControlCharacters(line));

it('what needs a person is told by its cause, each with since when and why, and what fixes it once (S5.3, S5.4)', () => {
  const box: Concern = {
    ...{ kind: 'entity', name: 'Box/a', operation: 'r1', state: 'Placing', since: '2026-11-21T14:03:21Z' },
    ...{ reason: 'exhausted', cause: 'Box in Placing: all attempts are used up (shelf_full)', fix: 'retry' },
    ...{ message: "all attempts of 'place' are used up", error: { code: 'shelf_full', message: 'no room' } },
    ...{ what_to_do: 'Fix the cause, then retry.', command: 'reeve retry Box/a' },
  };
  const lines = shown(told({ items: [box, { ...box, name: 'Box/b', since: null, command: 'reeve retry Box/b' }] }));
  expect(lines).toEqual([
    '2 × Box in Placing: all attempts are used up (shelf_full)',
    expect.stringMatching(/^ {2}14:03:21 +Box\/a +shelf_full: no room +r1$/),
    expect.stringMatching(/^ +Box\/b +shelf_full/),
    '  Fix the cause, then retry.',
    '  reeve retry Box/a',
  ]);
});

it('why something needs a person is whole on a narrow terminal, and so are its name and what fixes it (S5.4)', () => {
  const asked = (key: string): Concern =>
    ({
      ...{ kind: 'entity', name: `LogicalDatabase/${key}`, operation: '01a22b60-8319-7619-a764-3456500e3dad' },
      ...{ state: 'AwaitingApproval', since: '2026-11-21T14:03:21Z', reason: 'answer', error: null, fix: null },
      cause: 'LogicalDatabase, approvals.askForMove: waits for an answer',
      message: 'it waits for the answer to approvals.askForMove, until 2026-12-02 07:34 UTC',
      ...{ what_to_do: 'Answer it, extend its time, or revoke it.', command: 'reeve callbacks list LogicalDatabase/a' },
    }) as never;
  const items = [asked('demo.stock'), asked('demo.revenue_of_the_last_quarter_in_the_north')];
  const lines = (width?: number) =>
    attentionLines(told({ items }), { now, utc: true }, width).map((line) => stripVTControlCharacters(line));
  expect(lines(80)).toEqual([
    '2 × LogicalDatabase, approvals.askForMove: waits for an answer',
    '  14:03:21  LogicalDatabase/demo.stock  it waits for the answer to',
    '            approvals.askForMove, until 2026-12-02 07:34 UTC',
    '  14:03:21  LogicalDatabase/demo.revenue_of_the_last_quarter_in_the_north  it',
    '            waits for the answer to approvals.askForMove, until 2026-12-02 07:34',
    '            UTC',
    '  Answer it, extend its time, or revoke it.',
    '  reeve callbacks list LogicalDatabase/a',
  ]);
  expect(lines()).toHaveLength(5);
});

it('nothing that needs a person is told from not having been able to ask (S5.4)', () => {
  expect(shown(told())).toEqual(['Nothing needs you.']);
  expect(shown(told({ partial: ['temporal'] }))).toEqual([
    'Temporal could not be queried, so something may be missing.',
  ]);
});
