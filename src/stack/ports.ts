import { randomInt } from 'node:crypto';
import { connect, createServer } from 'node:net';

const HOST = '127.0.0.1';
const LATER_PORTS = { first: 20_000, last: 31_999 };
const MOST_TRIES = 50;

/** A port on 127.0.0.1 on which nobody listens: the wanted one if it is free, or else any. */
export async function choosePort(wanted?: number): Promise<number> {
  if (wanted !== undefined && (await isFree(wanted))) return wanted;
  const port = await tryPort(0);
  if (port === undefined) throw new Error(`No port is free on ${HOST}.`);
  return port;
}

/**
 * A port on 127.0.0.1 that is listened on later. It lies below the range from which systems take ports that nobody has named, so that
 * no connection gets it meanwhile.
 */
export async function chooseLaterPort(): Promise<number> {
  for (let attempt = 0; attempt < MOST_TRIES; attempt++) {
    const port = randomInt(LATER_PORTS.first, LATER_PORTS.last + 1);
    if (await isFree(port)) return port;
  }
  return choosePort();
}

/** Tells whether somebody takes connections on a port of 127.0.0.1. */
export function isAnswered(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: HOST });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.end(() => resolve(true)));
  });
}

/** Tells whether nobody listens on a port of 127.0.0.1. */
export async function isFree(port: number): Promise<boolean> {
  return (await tryPort(port)) !== undefined;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen({ port, host: HOST, exclusive: true }, () => {
      const { port: given } = server.address() as { port: number };
      server.close(() => resolve(given));
    });
  });
}
