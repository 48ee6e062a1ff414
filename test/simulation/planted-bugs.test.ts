import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { PLANTED_BUGS } from '../../tools/simulation/planted-bugs.js';
import build from '../support/build.js';

describe('planted bugs', () => {
  beforeAll(build);

  it.each(PLANTED_BUGS)('$name: can still be planted in the compiled code', async ({ file, find }) => {
    const code = await readFile(new URL(`../../dist/src/${file}`, import.meta.url), 'utf8');
    expect(code.split(find).length - 1).toBe(1);
  });
});
