import { KeyChangeRefused } from '../secrecy/key-changes.js';
import { PayloadKeyFile, type KeyFileContent } from '../secrecy/payload-key-file.js';
import type { KeyRecord } from '../secrecy/payload-key.js';
import { payloadKeysPath } from '../stack/payload-keys.js';
import { UsageError } from './usage-error.js';

/** The file of payload keys: `REEVE_PAYLOAD_KEYS`, or that of the data directory. It holds no key where it does not exist. @throws UsageError */
export async function openPayloadKeys(): Promise<{ readonly file: PayloadKeyFile; readonly content: KeyFileContent }> {
  const file = new PayloadKeyFile(payloadKeysPath());
  const content = await file.read().catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') return { keys: [] };
    throw new UsageError(thrown.message);
  });
  return { file, content };
}

/** Changes the keys of the file, and gives the key of which it is. @throws UsageError */
export async function changePayloadKeys(
  change: (content: KeyFileContent) => { readonly content: KeyFileContent; readonly key: KeyRecord },
): Promise<KeyRecord> {
  const { file, content } = await openPayloadKeys();
  try {
    const changed = change(content);
    await file.write(changed.content);
    return changed.key;
  } catch (thrown) {
    throw thrown instanceof KeyChangeRefused ? new UsageError(thrown.message) : thrown;
  }
}
