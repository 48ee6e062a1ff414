import { createServer, type Http2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** Takes connections as Temporal does, and refuses all calls with one gRPC status. */
export interface RefusingTemporal {
  readonly address: string;
  /** How often something was asked. */
  readonly asked: number;
  /** The gRPC status of what is asked from now on, and its message. */
  refuseWith(code: number, message?: string): void;
  close(): Promise<void>;
}

/** The call with which a client makes sure that it is connected. */
const CONNECTS = '/GetSystemInfo';
/** A message of gRPC without content: not compressed, and 0 bytes long. */
const EMPTY_MESSAGE = Buffer.alloc(5);

export async function startRefusingTemporal(): Promise<RefusingTemporal> {
  let status = 14;
  let said = 'not now';
  let asked = 0;
  const server: Http2Server = createServer();
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  server.on('stream', (stream, { ':path': path = '' }) => {
    const headers = { ':status': 200, 'content-type': 'application/grpc' };
    if (!path.endsWith(CONNECTS)) {
      asked++;
      stream.respond({ ...headers, 'grpc-status': status, 'grpc-message': said }, { endStream: true });
      return;
    }
    stream.respond(headers, { waitForTrailers: true });
    stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': 0 }));
    stream.end(EMPTY_MESSAGE);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get asked() {
      return asked;
    },
    refuseWith: (code, message = 'not now') => {
      status = code;
      said = message;
    },
    async close() {
      for (const session of sessions) session.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
