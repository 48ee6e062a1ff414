import { serve } from '@hono/node-server';
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { isIPv4, type AddressInfo } from 'node:net';
import { notListening } from '../telemetry/not-listening.js';
import type { Application } from './application.js';
import { refuseUnreadable } from './unreadable-request.js';

/** Holds how the management service is reached. */
export interface ServerOptions {
  /** The address to listen on. By default, only this machine reaches it. */
  readonly host?: string;
  /** The port. By default, any that is free. */
  readonly port?: number;
  /** For HTTPS: the files with the certificate and the key, in PEM. */
  readonly tls?: { readonly certFile: string; readonly keyFile: string };
  /** Sets how long requests under way may take to end when the server is stopped, in milliseconds. Default 10 s. */
  readonly graceMs?: number;
}

/** A service that listens. */
export interface RunningService {
  readonly url: string;
  /** Takes no more requests, lets those under way end, and ends streams. Their clients go on at another instance. */
  stop(): Promise<void>;
}

const CLOSE_IDLE_MS = 50;
/** The settings that say where it listens. */
const SETTINGS = { port: 'REEVE_API_PORT', host: 'REEVE_API_HOST' };

/** Tells whether no other machine reaches an address. Of names, only `localhost` is believed. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

/**
 * Starts to listen.
 * @throws when the port is taken, a file of the certificate cannot be read, or everybody could do everything (S6.5)
 */
export async function startService(
  application: Application,
  { host = '127.0.0.1', port = 0, tls, graceMs = 10_000 }: ServerOptions = {},
): Promise<RunningService> {
  if (application.open && !isLoopback(host)) {
    throw new Error(
      `Anyone who can reach the service at ${host} would have all rights: no authentication is configured. ` +
        'Set REEVE_API_KEYS or REEVE_JWT_KEYS (see docs/operate/access.md), or listen on 127.0.0.1.',
    );
  }
  const secret = tls && { cert: await readFile(tls.certFile), key: await readFile(tls.keyFile) };
  const listening = { fetch: application.fetch, hostname: host, port };
  const server = await new Promise<Server>((resolve, reject) => {
    const started = secret
      ? serve({ ...listening, createServer: createHttpsServer, serverOptions: secret }, () =>
          resolve(started as Server),
        )
      : serve({ ...listening, createServer: createHttpServer }, () => resolve(started as Server));
    started.once('error', (error: NodeJS.ErrnoException) =>
      reject(notListening(error, 'The management service', { host, port }, SETTINGS)),
    );
    started.on('clientError', refuseUnreadable);
  });
  const { address, family, port: given } = server.address() as AddressInfo;
  return {
    url: `${secret ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${given}`,
    async stop() {
      application.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      // A connection that has just answered is idle, and would be kept for the next request.
      const close = setInterval(() => server.closeIdleConnections(), CLOSE_IDLE_MS);
      const force = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(close);
      clearTimeout(force);
    },
  };
}
