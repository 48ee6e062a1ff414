import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CallbackKeys, callbackSettingsFrom, type CallbackSettings } from '../temporal/callback-address.js';
import { writeFileAtomically } from './files.js';
import { dataDirectoryFrom } from './data-directory.js';

/** Where a stack says by which address its service takes answers. */
const URL_FILE = 'callback-url';

/**
 * The variables by which the processes of a stack know how calls are answered from outside. Those that are set are kept. The keys are
 * made once, and only their owner can read them. A1
 * @param url of the stack's own service
 */
export async function callbackVariables(home: string, url: string, env: NodeJS.ProcessEnv) {
  const variables = {
    REEVE_CALLBACK_KEYS: env['REEVE_CALLBACK_KEYS'] ?? (await keysIn(home)),
    REEVE_CALLBACK_URL: env['REEVE_CALLBACK_URL'] ?? url,
  };
  await writeFileAtomically(join(home, URL_FILE), `${variables.REEVE_CALLBACK_URL}\n`);
  return variables;
}

/** How calls are answered from outside: as the environment says, or else as the stack on the data directory. A1 */
export async function findCallbacks(env: NodeJS.ProcessEnv = process.env): Promise<CallbackSettings | undefined> {
  const configured = callbackSettingsFrom(env);
  if (configured) return configured;
  const home = dataDirectoryFrom(env);
  const [keys, url] = [await textIn(join(home, KEYS_FILE)), await textIn(join(home, URL_FILE))];
  return keys !== undefined && url !== undefined ? { url, keys: new CallbackKeys(keys) } : undefined;
}

const KEYS_FILE = 'callback-keys';

async function keysIn(home: string): Promise<string> {
  const path = join(home, KEYS_FILE);
  const known = await textIn(path);
  if (known !== undefined) return known;
  const made = randomBytes(32).toString('base64');
  await writeFileAtomically(path, `${made}\n`);
  return made;
}

/** Reads what a file holds; nothing where it is not there. */
async function textIn(path: string): Promise<string | undefined> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}
