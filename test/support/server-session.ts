import { Socket } from 'node:net';
import pg from 'pg';
import { HostClient } from '../../activities/host/client.js';
import type { Credentials } from '../../activities/host/databases.js';

export interface SessionOptions {
  /** Default `master`. */
  readonly database?: string;
  /** From which of this machine's own addresses. Default 127.0.0.1. */
  readonly from?: string;
}

/** The address at which clients reach a server, and what its administrator logs in with. */
async function loginOf(home: string, server: string) {
  const host = new HostClient(home);
  const { user, password } = await host.request<Credentials>('GET', ['administrators', server]);
  const address = await host.request<{ host: string; port: number }>('PUT', ['aliases', server]);
  return { ...address, user, password };
}

/** Connects as the administrator of a server would. @throws what PostgreSQL or the gateway says */
export async function openSession(
  home: string,
  server: string,
  { database = 'master', from = '127.0.0.1' }: SessionOptions = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...(await loginOf(home, server)), database, stream: () => socketFrom(from) });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs one statement as the administrator of a server. */
export async function runSql(
  home: string,
  server: string,
  text: string,
  options?: SessionOptions,
): Promise<readonly unknown[]> {
  const client = await openSession(home, server, options);
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

function socketFrom(localAddress: string): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  socket.connect = ((port: number, host: string) => connect({ port, host, localAddress })) as typeof socket.connect;
  return socket;
}
