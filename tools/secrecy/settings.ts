import { payloadSettingsFrom, UNENCRYPTED, type PayloadSettings } from '../../src/secrecy/payload-settings.js';
import { openStore, secretProperties, type Store } from '../../src/store/index.js';
import { secretive } from './entities/definitions.js';

/** The settings that the processes of the verification share. */
export interface Settings {
  readonly address: string;
  readonly bundle: string;
  readonly databaseUrl: string;
  readonly callbackKeys: string;
  /** The file of payload keys; absent where nothing is encrypted. */
  readonly payloadKeys?: string;
}

/** How payloads are encrypted in the run. */
export function payloadsOf({ payloadKeys }: Pick<Settings, 'payloadKeys'>): PayloadSettings {
  return payloadKeys === undefined ? UNENCRYPTED : payloadSettingsFrom({}, payloadKeys);
}

/** The store of the run. Without keys nothing is encrypted, so that the scan has something to find. */
export function openSecretiveStore(settings: Settings): Store {
  const { databaseUrl: url, payloadKeys } = settings;
  const secret = payloadKeys === undefined ? new Map<string, never>() : secretProperties(secretive);
  return openStore({ url, dimensions: [], secret, payloads: payloadsOf(settings), warn: console.error });
}
