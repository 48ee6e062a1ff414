import { ESLint } from 'eslint';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';

/** An existing file of a pure folder: the linter is asked what it would say if that file had other content. */
const PURE_FILE = fileURLToPath(new URL('../../src/kernel/turns/next.ts', import.meta.url));
const IMPURE_FILE = fileURLToPath(new URL('../../src/client/client.ts', import.meta.url));

let eslint: ESLint;
beforeAll(() => {
  eslint = new ESLint({ cwd: fileURLToPath(new URL('../..', import.meta.url)) });
});

async function messages(code: string, filePath: string): Promise<readonly string[]> {
  const [result] = await eslint.lintText(code, { filePath });
  return result!.messages.map(({ message }) => message);
}

describe('the purity law (L2)', () => {
  it.each([
    ['the clock', 'export const t = Date.now();', 'driver.now()'],
    ['today', 'export const t = new Date();', 'driver.now()'],
    ['chance', 'export const r = Math.random();', 'driver.uuid()'],
    ['timers', 'setTimeout(() => undefined, 1);', 'driver.until()'],
    ['the process', 'export const e = process.env;', 'arguments'],
    ['the network', "export const f = fetch('x');", 'app.call'],
    ['Node', "import 'node:fs';", 'Pure code sees no Node'],
    ['Temporal', "import '@temporalio/workflow';", 'the Driver'],
  ])('refuses %s, and says what to use instead', async (_, code, remedy) => {
    expect((await messages(code, PURE_FILE)).join('\n')).toContain(remedy);
    expect((await messages(code, IMPURE_FILE)).join('\n')).not.toContain(remedy);
  });

  it('allows a date that is made of a given time', async () => {
    expect(await messages('export const t = new Date(5);\n', PURE_FILE)).toEqual([]);
  });
});

describe('a module', () => {
  it('exports no `then`, or else it could not be imported dynamically', async () => {
    const found = await messages('export function then(): void {}\n', IMPURE_FILE);
    expect(found.join()).toContain('imported dynamically');
    const pure = await messages('export function then(): void {}\n', PURE_FILE);
    expect(pure.join()).toContain('imported dynamically');
  });
});
