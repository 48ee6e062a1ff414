import { Client, type ConnectionLike } from '@temporalio/client';
import { clientConverter } from '../secrecy/data-converter.js';
import { UNENCRYPTED, type PayloadSettings } from '../secrecy/payload-settings.js';

/** A client that encrypts and decrypts payloads as the workers do. Q5 */
export function temporalClient({
  connection,
  namespace,
  payloads = UNENCRYPTED,
}: {
  readonly connection: ConnectionLike;
  readonly namespace: string;
  readonly payloads?: PayloadSettings;
}): Client {
  return new Client({ connection, namespace, dataConverter: clientConverter(payloads, namespace) });
}
