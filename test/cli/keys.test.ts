import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { authenticatorFrom } from '../../src/service/authentication/environment.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'reeve-keys-'));
});
afterAll(async () => rm(folder, { recursive: true }));

/** Calls `reeve keys` with a file of keys of its own; gives the exit code and all that was printed. */
async function keys(...args: readonly string[]): Promise<{ readonly code: number; readonly text: string }> {
  const env = { ...process.env, REEVE_API_KEYS: join(folder, 'keys.json') };
  try {
    const { stdout } = await promisify(execFile)(process.execPath, ['dist/src/cli/main.js', 'keys', ...args], { env });
    return { code: 0, text: stdout };
  } catch (thrown) {
    const { code, stderr } = thrown as { readonly code: number; readonly stderr: string };
    return { code, text: stderr };
  }
}

it('reeve keys makes a key that is let in, shows whose keys there are, and takes one away (S6.5)', async () => {
  const made = await keys('create', 'ci', '--tenant', '*', '--role', 'owner', 'reader');
  expect(made).toMatchObject({ code: 0, text: expect.stringMatching(/^rk_\w{12}_\S{43}\n$/) });
  const key = made.text.trim();
  const authenticator = (await authenticatorFrom({ REEVE_API_KEYS: join(folder, 'keys.json') }))!;
  const who = () => authenticator.authenticate(new Request('http://127.0.0.1/', { headers: { 'x-api-key': key } }));
  expect((await who())?.actor).toEqual({ subject: 'ci', tenant: '*', roles: ['owner', 'reader'] });
  expect(await readFile(join(folder, 'keys.json'), 'utf8')).not.toContain(key.slice(16));
  const id = key.slice(3, 15);
  expect(await keys('list')).toEqual({ code: 0, text: `${id}  ci  *  owner,reader\n` });
  expect((await keys('list', '--json')).text).not.toContain('hash');
  expect((await keys('revoke', id)).code).toBe(0);
  expect(await who()).toBeUndefined();
  expect(await keys('revoke', id)).toMatchObject({ code: 2, text: expect.stringContaining('There is no key') });
  const unknown = await keys('create', 'ci', '--tenant', '*', '--role', 'onwer');
  expect(unknown).toMatchObject({ code: 2, text: expect.stringContaining('The roles are: operator, owner, reader') });
  expect((await keys('create', 'ci', '--tenant', 'a/b', '--role', 'owner')).code).toBe(2);
});
