import { expect, it } from 'vitest';
import { inShell } from '../../src/page/parts/in-shell.js';

it.each([
  ['reeve explain Box/a', 'npx reeve explain Box/a'],
  ['temporal workflow describe -w reeve', 'temporal workflow describe -w reeve'],
])('%s is typed as %s (S6.3)', (command, typed) => {
  expect(inShell(command)).toBe(typed);
});
