import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';

/** How long a request is tried at one instance and the next, in milliseconds. */
const TRIED_FOR_MS = 120_000;
const AGAIN_AFTER_MS = 200;

/** One address before several services, as docs/operate/deploy.md wants it of a load balancer. */
export interface Balancer {
  readonly url: string;
  /** How often a request was sent to the next instance, because the one before was away or busy. */
  readonly repeated: number;
  close(): Promise<void>;
}

/** Sends each request to the next instance; one that refuses, breaks off or answers 503 is followed by another. */
export async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  let turn = 0;
  let repeated = 0;
  const answer = async (asked: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(asked);
    const until = Date.now() + TRIED_FOR_MS;
    for (;;) {
      const port = ports[turn++ % ports.length]!;
      const answered = await ask(port, asked, body).catch(() => undefined);
      if (answered && (answered.status !== 503 || Date.now() > until)) {
        response.writeHead(answered.status, answered.headers).end(answered.body);
        return;
      }
      if (Date.now() > until) return void response.writeHead(502).end();
      repeated++;
      await delay(AGAIN_AFTER_MS);
    }
  };
  const server = createServer((asked, response) => void answer(asked, response).catch(() => response.destroy()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get repeated() {
      return repeated;
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

function ask(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path: url, headers }, (response) => {
      buffer(response).then(
        (read) => resolve({ status: response.statusCode!, headers: response.headers, body: read }),
        reject,
      );
    });
    sent.once('error', reject);
    sent.end(body);
  });
}
