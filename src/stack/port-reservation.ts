import { join } from 'node:path';
import { tryLock, type Release } from './lock.js';
import { choosePort } from './ports.js';

/** A port that is ours until it is given back. */
export interface PortReservation {
  readonly port: number;
  readonly release: Release;
}

/**
 * Reserves a free port of 127.0.0.1, the wanted one if possible. No other stack of this user takes it at the same time. Without
 * that, two stacks that start at once could choose one port, and the second would talk to the server of the first.
 * @param folder the folder that all stacks of the user share
 */
export async function reservePort(folder: string, wanted: number): Promise<PortReservation> {
  if ((await choosePort(wanted)) === wanted) {
    const attempt = await tryLock(join(folder, String(wanted)));
    if ('release' in attempt) return { port: wanted, release: attempt.release };
  }
  // The system does not give the same port to two processes that ask for any port.
  return { port: await choosePort(), release: async () => undefined };
}
