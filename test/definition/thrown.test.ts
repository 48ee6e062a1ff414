import { expect, it } from 'vitest';
import { LONGEST_MESSAGE } from '../../src/definition/limits.js';
import { cut, messageOf } from '../../src/definition/thrown.js';
import { toErrorRecord } from '../../src/protocol/errors.js';
import { describeIssues, issuesOf } from '../../src/protocol/schema-problems.js';
import { z } from 'zod';
import { THROWN } from '../entities/freight.js';

it('a text that is cut says how much is missing, keeps characters whole, and is not cut again (S1.5a)', () => {
  const once = cut(`${'a'.repeat(999)}\u{1f600}${'b'.repeat(9_000)}`, 1_000);
  expect(once).toBe(`${'a'.repeat(999)}... (9,002 more characters)`);
  expect(cut(`before: ${once}`, 1_000)).toBe(`before: ${once}`);
});

it('whatever is thrown has words, and a record that is small and plain (S1.5a)', () => {
  for (const [how, make] of Object.entries(THROWN)) {
    const record = toErrorRecord(make());
    expect(JSON.parse(JSON.stringify(record)), how).toEqual(record);
    expect(JSON.stringify(record).length, how).toBeLessThan(20_000);
    expect(typeof messageOf(make()), how).toBe('string');
  }
});

it('the stack of a large error keeps its places (S1.5a)', () => {
  const { stack } = toErrorRecord(THROWN['huge']!());
  expect(stack).toMatch(/more characters\)\n {4}at .*freight/);
});

it('of thousands of problems the first are told (S1.5a)', () => {
  const { error } = z.array(z.number()).safeParse(Array(100_000).fill('x'));
  const issues = issuesOf(error!, ['params']);
  expect(issues.at(-1)).toEqual({ path: 'params', message: 'and 99950 more problems' });
  const strict = z
    .strictObject({})
    .safeParse(Object.fromEntries(Array.from({ length: 10_000 }, (_, n) => [`key${n}`, n])));
  expect(describeIssues(issuesOf(strict.error!)).length).toBeLessThan(2 * LONGEST_MESSAGE);
});
