import { ApiKeyFile } from '../service/authentication/api-key-file.js';
import type { ApiKeyRecord } from '../service/authentication/api-key.js';
import { UsageError } from './usage-error.js';

/** The file that `REEVE_API_KEYS` names, and its contents; nothing when the file does not exist. @throws UsageError */
export async function openKeyFile(
  env: NodeJS.ProcessEnv = process.env,
): Promise<{ readonly file: ApiKeyFile; readonly keys: readonly ApiKeyRecord[] }> {
  const path = env['REEVE_API_KEYS'];
  if (!path)
    throw new UsageError('The file of API keys is not set. Set REEVE_API_KEYS to a file, here and for the service.');
  const file = new ApiKeyFile(path);
  const keys = await file.records().catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return [];
    throw new UsageError(thrown.message);
  });
  return { file, keys };
}
