import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFileAtomically } from './files.js';

/**
 * The keys with which a stack signs the addresses of calls that are answered from outside, in the form of `REEVE_CALLBACK_KEYS`.
 * They are made once, and only their owner can read them. A1
 */
export async function callbackKeysIn(home: string): Promise<string> {
  const path = join(home, 'callback-keys');
  const known = await readFile(path, 'utf8').catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== 'ENOENT') throw thrown;
    return undefined;
  });
  if (known !== undefined) return known.trim();
  const made = randomBytes(32).toString('base64');
  await writeFileAtomically(path, `${made}\n`);
  return made;
}
