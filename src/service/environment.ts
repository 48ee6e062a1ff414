import type { ServerOptions } from './server.js';

/**
 * Reads how the service is reached: `REEVE_API_HOST` (default 127.0.0.1), `REEVE_API_PORT`, and for HTTPS the files
 * `REEVE_API_TLS_CERT_FILE` and `REEVE_API_TLS_KEY_FILE`.
 * @throws when one of them is wrong or missing
 */
export function serverOptionsFrom(env: NodeJS.ProcessEnv): ServerOptions {
  const host = env['REEVE_API_HOST'];
  const port = portFrom(env);
  const [certFile, keyFile] = [env['REEVE_API_TLS_CERT_FILE'], env['REEVE_API_TLS_KEY_FILE']];
  if (Boolean(certFile) !== Boolean(keyFile)) {
    throw new Error('HTTPS needs both REEVE_API_TLS_CERT_FILE and REEVE_API_TLS_KEY_FILE. Set both, or none.');
  }
  return {
    ...(host && { host }),
    ...(port !== undefined && { port }),
    ...(certFile && keyFile && { tls: { certFile, keyFile } }),
  };
}

/** @throws when it is not a port */
export function portFrom(env: NodeJS.ProcessEnv): number | undefined {
  const text = env['REEVE_API_PORT'];
  if (!text) return undefined;
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new Error(`REEVE_API_PORT is '${text}', which is not a port. Write a number up to 65535.`);
}
