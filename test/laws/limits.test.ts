import { format, resolveConfig } from 'prettier';
import { expect, it } from 'vitest';
import * as limits from '../../src/definition/limits.js';
import { LIMITS } from '../../src/definition/limits-table.js';

const HEAD = `# Limits

Temporal accepts arguments of up to 2 MB, and messages of up to 4 MB. A workflow task beyond that keeps failing. So Reeve
checks each size before it sends anything. A failed check is an error of one action, call or event. Bytes are those of JSON in UTF-8.
Keep larger data outside, and pass its address.

This page is made from \`src/definition/limits-table.ts\`; \`npx vitest run test/laws/limits.test.ts -u\` writes it.
`;

const sizeOf = ({ most, unit }: (typeof LIMITS)[number]) => {
  const [size, name] = unit === 'bytes' && most % 1024 === 0 ? [most / 1024, 'KB'] : [most, unit];
  return `${size.toLocaleString('en-US')} ${name}`;
};

it('the page of limits says what the code does (S1.5a)', async () => {
  const rows = LIMITS.map((each) => `| ${each.what} | ${sizeOf(each)} | ${each.checked} | ${each.comes} |`);
  const table = ['| limit | at most | checked | beyond it |', '| --- | --- | --- | --- |', ...rows].join('\n');
  const path = new URL('../../docs/reference/limits.md', import.meta.url).pathname;
  const style = await resolveConfig(path);
  await expect(await format(`${HEAD}\n${table}\n`, { ...style, parser: 'markdown' })).toMatchFileSnapshot(path);
});

it('the page of limits leaves none out (S1.5a)', () => {
  const told = new Set(LIMITS.map(({ most }) => most));
  expect(Object.entries(limits).filter(([, most]) => !told.has(most))).toEqual([]);
});
