import { expect, it } from 'vitest';
import { errorEntry, errorPage } from '../../src/protocol/error-codes/index.js';
import { strayCodes } from '../../tools/reference/written-codes.js';

const GROUPS = { Some: { known: { meaning: '', cause: '', remedy: '' } } };

it.each([
  [`const refusal = { code: 'unheard_of', message };`],
  [`throw new Defect('unheard_of', message);`],
  [`throw new CallFailed(call, 'unheard_of', message);`],
  [`const error = { code: isOver ? 'known' : 'unheard_of' };`],
  [`const code = isOver ? 'known' : 'unheard_of';`],
  [`class Wrong extends Error { readonly code = 'unheard_of' }`],
  [`const CODE = 'unheard_of'; throw new Defect(CODE, message);`],
  [`throw ApplicationFailure.create({ type: 'unheard_of', message });`],
])('a code without an entry is found with its place: %s', (line) => {
  const [problem, ...others] = strayCodes(new Map([['src/a.ts', `// known\n${line}`]]), GROUPS);
  expect(problem).toMatch(/^src\/a\.ts:2: the code 'unheard_of' has no entry/);
  expect(others).toEqual([]);
});

it('an entry that nothing uses is found', () => {
  expect(strayCodes(new Map([['src/a.ts', '']]), GROUPS)).toEqual([
    expect.stringContaining(`nothing uses the code 'known'`),
  ]);
});

it('a code of an entity has no page, also where it is called like a member of every object', () => {
  expect([errorPage('gone'), errorPage('no_stock'), errorEntry('constructor')]).toEqual([
    '/guide/reference/errors/gone',
    undefined,
    undefined,
  ]);
});
