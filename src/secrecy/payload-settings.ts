import { PayloadKeyFile } from './payload-key-file.js';
import type { PayloadKeys } from './payload-key.js';

/** Describes how payloads are encrypted. Q5 */
export interface PayloadSettings {
  /** Without them nothing is encrypted, and what is encrypted is refused with the id of its key. */
  readonly keys?: PayloadKeys;
  /** Sets whether large payloads are compressed before they are encrypted. Their length then tells something of what they hold. */
  readonly compresses?: boolean;
  /** Sets whether payloads that are not encrypted are read all the same: while a fleet moves to encryption. */
  readonly readsClear?: boolean;
}

/** Nothing is encrypted. */
export const UNENCRYPTED: PayloadSettings = {};

/**
 * `REEVE_PAYLOAD_KEYS`, the file of the keys; `REEVE_PAYLOAD_COMPRESSION=deflate`; and `REEVE_PAYLOAD_PLAINTEXT=read`, while a fleet moves
 * to encryption. Nothing is encrypted where no file is named.
 * @throws TypeError when one of them is something else
 */
export function payloadSettingsFrom(env: NodeJS.ProcessEnv, path = env['REEVE_PAYLOAD_KEYS']): PayloadSettings {
  const compresses = isSet(env, 'REEVE_PAYLOAD_COMPRESSION', 'deflate');
  const readsClear = isSet(env, 'REEVE_PAYLOAD_PLAINTEXT', 'read');
  return path ? { keys: new PayloadKeyFile(path), compresses, readsClear } : UNENCRYPTED;
}

function isSet(env: NodeJS.ProcessEnv, name: string, meaning: string): boolean {
  const value = env[name];
  if (!value) return false;
  if (value === meaning) return true;
  throw new TypeError(`${name} is '${value}'. It can be '${meaning}', or be left out.`);
}
