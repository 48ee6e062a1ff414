import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { createKey } from '../../src/secrecy/key-changes.js';
import { PayloadKeyFile } from '../../src/secrecy/payload-key-file.js';

/** A file with one key, in a folder that is removed after the tests. */
export async function keyFile(): Promise<PayloadKeyFile> {
  const folder = await mkdtemp(join(tmpdir(), 'reeve-payload-keys-'));
  afterAll(() => rm(folder, { recursive: true }));
  const file = new PayloadKeyFile(join(folder, 'payload-keys.json'));
  await file.write(createKey({ keys: [] }, new Date()).content);
  return file;
}
