/*
 * The door before Temporal's UI, which asks nobody who they are: whoever reaches it may raise and end everything. A page of another site
 * reaches what listens on this machine, by a name that leads here (DNS rebinding).
 *
 * ui-door.1. It lets through what names this machine, and comes from no page of another site.
 * ui-door.2. The UI itself listens at an address that no page knows.
 */
import { randomInt } from 'node:crypto';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { platform } from 'node:os';
import { messageOf } from '../definition/thrown.js';
import type { Release } from './lock.js';

const THIS_MACHINE = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Where a server listens. */
export interface Listening {
  readonly host: string;
  readonly port: number;
}

/**
 * An address of this machine that nobody guesses. Where only 127.0.0.1 leads to it, the port alone is unknown. ui-door.2
 */
export function hiddenHost(): string {
  return platform() === 'linux' ? ['127', byte(), byte(), byte()].join('.') : '127.0.0.1';
}

function byte(): number {
  return randomInt(1, 255);
}

/** Listens before the UI, until it is closed. @throws where the port is taken */
export async function openUiDoor({ host, port }: Listening, ui: Listening): Promise<Release> {
  const server = createServer((incoming, outgoing) => {
    if (isOfThisMachine(incoming)) return pass(incoming, outgoing, ui);
    // The rest of an unread request would be taken for the next one.
    outgoing.writeHead(403, { 'Content-Type': 'text/plain', Connection: 'close' });
    outgoing.end('This is for pages of this machine only. Open it as http://127.0.0.1.\n');
  });
  await listen(server, { host, port });
  return () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
}

/** Tells whether a request names this machine and comes from no page of another site. ui-door.1 */
export function isOfThisMachine({ headers, url = '/' }: Pick<IncomingMessage, 'headers' | 'url'>): boolean {
  const { host = '', origin } = headers;
  const asked = `http://${host}`;
  if (!URL.canParse(asked) || !THIS_MACHINE.has(new URL(asked).hostname) || !url.startsWith('/')) return false;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === new URL(asked).host);
}

function pass(incoming: IncomingMessage, outgoing: ServerResponse, { host, port }: Listening): void {
  const { method, url, headers } = incoming;
  const asked = request({ host, port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(outgoing);
  });
  asked.on('error', (thrown) => {
    if (outgoing.headersSent) return outgoing.destroy();
    outgoing.writeHead(502, { 'Content-Type': 'text/plain' });
    outgoing.end(`Temporal's UI does not answer: ${messageOf(thrown)}\n`);
  });
  outgoing.on('close', () => asked.destroy());
  incoming.pipe(asked);
}

async function listen(server: Server, { host, port }: Listening): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
}
