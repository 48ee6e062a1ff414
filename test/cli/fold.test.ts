import { expect, it } from 'vitest';
import { errorsOnce } from '../../src/cli/errors-once.js';
import { fold, foldParagraph } from '../../src/cli/fold.js';
import { nextOfOperation, nextStep, restingInError } from '../../src/cli/explanation/next-steps.js';
import type { ExplainedEntity, Explanation } from '../../src/client/explain/explanation.js';

it('a text fits the terminal, and what follows stands below its column (S6.3)', () => {
  const text = [
    'Box/a  Failed',
    '  last failure       disk_full: No space is left on the device of the box.',
    '    https://a.very/long/address/that/nobody/wants/to/copy/in/two/pieces',
    '  in Temporal        https://a.very/long/address/that/nobody/wants/to/copy',
    'disk_full: No space is left on the device.',
  ].join('\n');
  expect(fold(text, 40)).toBe(
    [
      'Box/a  Failed',
      '  last failure       disk_full: No space',
      `${' '.repeat(16)}is left on the device of`,
      `${' '.repeat(16)}the box.`,
      '    https://a.very/long/address/that/nobody/wants/to/copy/in/two/pieces',
      '  in Temporal        https://a.very/long/address/that/nobody/wants/to/copy',
      'disk_full: No space is left on the',
      '  device.',
    ].join('\n'),
  );
  expect(fold(text)).toBe(text);
});

it('a word that is too long for its column begins further to the left, on a line of its own (S6.3)', () => {
  expect(fold('? waits for a person   See Order/a_long_key_of_an_order, and wait.', 40).split('\n')).toEqual([
    '? waits for a person   See',
    '           Order/a_long_key_of_an_order,',
    `${' '.repeat(16)}and wait.`,
  ]);
});

it('a paragraph is wrapped wherever its text has line breaks (S6.3)', () => {
  expect(foldParagraph(' One thing\n  and another, then   a third. ', 14)).toEqual([
    'One thing and',
    'another, then',
    'a third.',
  ]);
});

it('colors count for nothing (S6.3)', () => {
  const red = (word: string) => `\u001B[31m${word}\u001B[39m`;
  expect(fold(`${red('disk_full')}: No space`, 20)).toBe(`${red('disk_full')}: No space`);
});

const explained = (entity: string, more: Partial<ExplainedEntity>): ExplainedEntity => ({
  ...({
    kind: 'entity',
    state: 'S',
    health: 'normal',
    since: 0,
    settled: true,
    events: [],
    calls: [],
    waits: [],
  } as const),
  ...{ entity, below: [], ...more },
});
const explanation = (more: Partial<Explanation>): Explanation => ({
  at: 1,
  entities: [],
  starved: [],
  stuck: [],
  ...more,
});

it('the explanation of what has failed ends with the next step (S5.4)', () => {
  const inner = explained('Box/b', { health: 'error' });
  const failing = explained('Box/c', { health: 'error', settled: false });
  const outer = explained('Shelf/a', { settled: false, below: [inner, failing] });
  expect(restingInError(explanation({ entities: [outer] }))).toEqual([inner]);
  const stuck = { who: 'Box/b', since: 0, reason: 'exhausted', message: 'm', whatToDo: 'w' } as const;
  expect(restingInError(explanation({ entities: [outer], stuck: [stuck] as never }))).toEqual([]);

  const events = ['delete', 'repair'].map((event) => ({ event, allowed: true }));
  const never = { event: 'create', allowed: false };
  expect(nextStep('Box/b', [never, events[0]!])).toBe("Next: fix the cause, then 'reeve raise Box/b delete'.");
  expect(nextStep('Box/b', events)).toBe(
    "Next: fix the cause, then raise one of delete, repair ('reeve raise Box/b EVENT').",
  );
  expect(nextStep('Box/b', [never])).toContain("see 'reeve get Box/b'");

  const ended = { kind: 'ended', id: 'o', name: 'create Box/b', startedAt: 0, endedAt: 1 } as const;
  const errors = [{ entity: 'Box/b', event: 'create', code: 'full', message: 'It is full.' }];
  const failed = explanation({ operation: { ...ended, outcome: 'failed', errors } as never });
  expect(nextOfOperation(failed)).toEqual(["Next: 'reeve explain Box/b' shows what is valid there now."]);
  expect(nextOfOperation(explanation({ operation: { ...ended, outcome: 'success', errors: [] } as never }))).toEqual(
    [],
  );
});

it('an error that several entities end with is told once (S6.3)', () => {
  const error = { entity: 'Box/b', event: 'create', code: 'full', message: 'It is full.' };
  const errors = [error, { ...error, entity: 'Shelf/a' }, { ...error, code: 'late', message: 'It is late.' }];
  expect(errorsOnce(errors, (text) => text)).toEqual([
    'Box/b, create: full: It is full.',
    '  the same: Shelf/a, create',
    'Box/b, create: late: It is late.',
  ]);
});
