import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';

let parent: string;
/** The data directory of a project that was never started: it is not there. */
let home: string;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), 'reeve-payload-keys-'));
  home = join(parent, '.reeve');
});
afterAll(async () => rm(parent, { recursive: true }));

/** Calls `reeve payload-keys` on a data directory of its own; gives the exit code and all that was printed. */
async function keys(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const { REEVE_PAYLOAD_KEYS: _, ...others } = process.env;
  const env = { ...others, REEVE_DATA_DIR: home };
  try {
    const command = ['dist/src/cli/main.js', 'payload-keys', ...args];
    const { stdout } = await promisify(execFile)(process.execPath, command, { env });
    return { code: 0, text: stdout };
  } catch (thrown) {
    const { code, stderr } = thrown as { readonly code: number; readonly stderr: string };
    return { code, text: stderr };
  }
}

it('reeve payload-keys makes keys, rotates and destroys them, and prints no secret (Q5)', async () => {
  // Nothing is encrypted yet: nobody turns encryption on for a stack with clear data by a command that changes keys.
  expect(await keys('rotate')).toMatchObject({ code: 2, text: expect.stringContaining('reeve payload-keys create') });
  const first = (await keys('create')).text.trim();
  expect((await stat(home)).mode & 0o777).toBe(0o700);
  expect(first).toMatch(/^\d{4}-\d\d-\d\d-[0-9a-f]{8}$/);
  expect(await keys('destroy', first)).toMatchObject({
    code: 2,
    text: expect.stringContaining('is the one that is used'),
  });
  const second = (await keys('rotate')).text.trim();
  const stored = JSON.parse(await readFile(join(home, 'payload-keys.json'), 'utf8')) as {
    readonly current: string;
    readonly keys: readonly { readonly secret: string }[];
  };
  expect(stored.current).toBe(second);
  const listed = await keys('list');
  expect(listed.text).toMatch(new RegExp(`^${first} .* decrypts\\n${second} .* encrypts and decrypts\\n$`));
  for (const { secret } of stored.keys) expect(listed.text + (await keys('list', '--json')).text).not.toContain(secret);
  expect((await keys('destroy', first)).text).toContain(`${first} was destroyed at`);
  expect(await readFile(join(home, 'payload-keys.json'), 'utf8')).not.toContain(stored.keys[0]!.secret);
  expect((await keys('rotate', first)).text).toContain('was destroyed');
  expect(await keys('destroy', 'nobody')).toMatchObject({
    code: 2,
    text: expect.stringContaining('reeve payload-keys list'),
  });
});
