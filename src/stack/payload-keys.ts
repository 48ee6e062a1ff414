import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { payloadSettingsFrom, type PayloadSettings } from '../secrecy/payload-settings.js';
import { dataDirectoryFrom } from './data-directory.js';

/** The file of payload keys: the one that `REEVE_PAYLOAD_KEYS` names, or else that of the data directory. Q5 */
export function payloadKeysPath(env: NodeJS.ProcessEnv = process.env): string {
  return env['REEVE_PAYLOAD_KEYS'] || join(dataDirectoryFrom(env), 'payload-keys.json');
}

/**
 * How payloads are encrypted: with the keys that `REEVE_PAYLOAD_KEYS` names, or else with those of the data directory, where it has any.
 * Q5
 */
export function findPayloadSettings(env: NodeJS.ProcessEnv = process.env): PayloadSettings {
  const path = payloadKeysPath(env);
  const isGiven = Boolean(env['REEVE_PAYLOAD_KEYS']);
  return payloadSettingsFrom(env, isGiven || existsSync(path) ? path : undefined);
}
