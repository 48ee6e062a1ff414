import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { findingText, verdict } from '../../src/cli/commands/doctor.js';
import { findingsOf } from '../../src/cli/doctor/attention.js';
import { fold } from '../../src/cli/fold.js';
import { byCause } from '../../src/cli/list/needs.js';
import type { Concern } from '../../src/service/attention/attention-schema.js';

const awaited: Concern = {
  ...{ kind: 'entity', name: 'Order/a', operation: 'r1', state: null, since: '2026-11-21T14:03:21Z', error: null },
  ...{ reason: 'answer', cause: 'Order, approvals.ask: waits for an answer', message: 'it waits', fix: 'answer' },
  ...{ what_to_do: 'Answer it.', command: 'reeve callbacks list Order/a' },
};
const broken: Concern = { ...awaited, name: 'Order/b', reason: 'error_state', cause: 'Order in Failed', fix: null };
const waits = {
  ...{ about: 'waits for a person', status: 'waiting' },
  says: 'Order, approvals.ask: waits for an answer. Order/a: it waits',
  remedy: 'Answer it. Run: reeve callbacks list Order/a',
};
const told = (...items: readonly Concern[]) => {
  const findings = findingsOf(byCause(items));
  const { exit, summary } = verdict(findings);
  return { findings, exit, summary: stripVTControlCharacters(summary) };
};

describe('doctor (S5.4)', () => {
  it('lists a pending answer, and finds nothing wrong', () => {
    expect(told(awaited)).toEqual({
      findings: [{ about: 'attention', status: 'ok', says: 'nothing else needs you' }, waits],
      ...{ exit: 0, summary: 'Nothing is wrong. Answers from outside are pending.' },
    });
  });

  it('lists it after the problems, which alone make the exit code', () => {
    expect(told(awaited, broken)).toMatchObject({
      findings: [{ status: 'problem', says: expect.stringContaining('Order/b') as string }, waits],
      ...{ exit: 1, summary: '1 problem. Answers from outside are pending.' },
    });
  });

  it('stands below its column on a narrow terminal, and the command in a line of its own (S6.3)', () => {
    const [, waiting] = told({
      ...awaited,
      message: 'it waits for the answer to approvals.ask, for two days',
    }).findings;
    expect(fold(stripVTControlCharacters(findingText(waiting!)), 60).split('\n')).toEqual([
      '? waits for a person   Order, approvals.ask: waits for an',
      '                       answer. Order/a: it waits for the',
      '                       answer to approvals.ask, for two days',
      '                       Answer it.',
      '                       Run: reeve callbacks list Order/a',
    ]);
  });

  it('says so where something could not be queried', () => {
    expect(findingsOf(byCause([awaited]), ['temporal'])).toMatchObject([
      { status: 'skipped', says: 'nothing else needs you, as far as is known: temporal could not be queried' },
      waits,
    ]);
  });
});
