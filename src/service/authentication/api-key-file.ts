import { readFile, stat } from 'node:fs/promises';
import { z } from 'zod';
import { writeFileAtomically } from '../../stack/files.js';
import { apiKeyRecord, type ApiKeyRecord } from './api-key.js';

const content = z.strictObject({ keys: z.array(apiKeyRecord) });

/** The file with the hashes of all keys (`REEVE_API_KEYS`). It is read again when it has changed. */
export class ApiKeyFile {
  readonly #path: string;
  #seen = '';
  #records: readonly ApiKeyRecord[] = [];

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * The keys that the file has now.
   * @throws when it cannot be read, or holds something else
   */
  async records(): Promise<readonly ApiKeyRecord[]> {
    const { mtimeMs, size, ino } = await stat(this.#path);
    const seen = `${ino} ${mtimeMs} ${size}`;
    if (seen !== this.#seen) {
      this.#records = parse(this.#path, await readFile(this.#path, 'utf8'));
      this.#seen = seen;
    }
    return this.#records;
  }

  /** Replaces all that the file holds. The file is made where it does not exist. Only its owner can read it. */
  async write(keys: readonly ApiKeyRecord[]): Promise<void> {
    await writeFileAtomically(this.#path, `${JSON.stringify({ keys }, undefined, 2)}\n`);
  }
}

function parse(path: string, text: string): readonly ApiKeyRecord[] {
  try {
    return content.parse(JSON.parse(text)).keys;
  } catch (thrown) {
    const why = thrown instanceof z.ZodError ? z.prettifyError(thrown) : String(thrown);
    throw new Error(`${path} is not a file of API keys: ${why}. Create one with reeve keys create.`, { cause: thrown });
  }
}
