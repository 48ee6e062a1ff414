import { stripVTControlCharacters } from 'node:util';
import { expect, it } from 'vitest';
import { Problem } from '../../src/cli/api/problem.js';
import { formatProblem } from '../../src/cli/output.js';

it('a value that is missing is told with the option that gives it (S2.6)', () => {
  const issues = [{ path: 'construct', message: 'expected object, received undefined' }];
  const told = (paths: readonly { readonly path: string; readonly message: string }[]) =>
    stripVTControlCharacters(
      formatProblem(new Problem(400, 'invalid_parameters', 'It is not right.', { issues: paths })),
    );
  expect(told(issues)).toContain(
    "Properties and links are given with --construct, as JSON; 'reeve types --json' lists them.",
  );
  expect(told([{ path: 'parameters.cents', message: 'expected number' }])).toContain(
    'Parameters are given with --params',
  );
  expect(told([{ path: 'key', message: 'too long' }])).not.toContain(' are given with');
});

it('a remedy stands below a message that has none (S6.3)', () => {
  const told = (code: string, details = {}) =>
    stripVTControlCharacters(formatProblem(new Problem(410, code, 'It was deleted.', details)));
  expect(told('gone')).toBe('gone: It was deleted.\n  Create it again if it is still needed.');
  expect(told('gone', { repeat: 'reeve get A/b' })).toBe('gone: It was deleted.\n  reeve get A/b');
  // A code of an entity's own.
  expect(told('no_stock')).toBe('no_stock: It was deleted.');
});
