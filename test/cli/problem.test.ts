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
