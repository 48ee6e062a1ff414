import { expect, it } from 'vitest';
import { actionWords } from '../../src/cli/explanation/audit-words.js';

it('the audit trail tells a person once what is named like its access (S6.5)', () => {
  expect(['create create', 'create open', 'raise moveOn', 'create', 'read values'].map(actionWords)).toEqual([
    ...['create', 'create open', 'raise moveOn', 'create', 'read values'],
  ]);
});
