import { UsageError } from '../usage-error.js';

/** Where the management service is, and with which key to ask it. */
export interface RemoteSettings {
  /** The address, without a slash at the end. */
  readonly url: string;
  /** An API key or a JSON Web Token. */
  readonly key?: string;
}

/** The settings in `REEVE_API` and `REEVE_API_KEY`; nothing where the command works by itself. @throws UsageError */
export function remoteSettings(env: NodeJS.ProcessEnv = process.env): RemoteSettings | undefined {
  const [url, key] = [env['REEVE_API'], env['REEVE_API_KEY']];
  if (!url) {
    // A user who has set a key does not mean to be the operator of this data directory.
    if (key)
      throw new UsageError('REEVE_API_KEY is set, and REEVE_API is not. Set REEVE_API to the address of the service.');
    return undefined;
  }
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new UsageError(`REEVE_API is '${url}', which is not an address. Write it like https://reeve.example.`);
  }
  const { origin, pathname } = new URL(url);
  return { url: `${origin}${pathname}`.replace(/\/+$/, ''), ...(key && { key }) };
}

/** Refuses a command that needs the data directory or the project itself. @throws UsageError while `REEVE_API` is set */
export function refuseRemote(command: string, why: string): void {
  const settings = remoteSettings();
  if (!settings) return;
  throw new UsageError(
    `'reeve ${command}' does not work over HTTP: ${why}. REEVE_API is set to ${settings.url}; unset it where the data directory is.`,
  );
}
