import { connect, constants, createSecureServer, type Http2Session, type ServerHttp2Stream } from 'node:http2';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';

/** gRPC's UNAUTHENTICATED. */
const UNAUTHENTICATED = '16';

/** A front before a Temporal service, as a hosted one has: TLS, and an API key on each request. */
export interface TlsFront {
  readonly address: string;
  /** How many requests had the key, and how many were refused. */
  readonly counts: { readonly let: number; readonly refused: number };
  stop(): Promise<void>;
}

/** Starts a front that takes TLS with a certificate and passes on what has the key. */
export async function startTlsFront(
  service: string,
  certificate: { readonly cert: string; readonly key: string },
  apiKey: string,
): Promise<TlsFront> {
  const counts = { let: 0, refused: 0 };
  const behind = connect(`http://${service}`);
  behind.on('error', () => undefined);
  const sessions = new Set<Http2Session>();
  const server = createSecureServer(certificate);
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined);
  });
  // Clients that trust nobody break off the handshake.
  server.on('tlsClientError', () => undefined);
  server.on('stream', (stream, headers) => {
    if (headers.authorization !== `Bearer ${apiKey}`) {
      counts.refused++;
      const said = { 'grpc-status': UNAUTHENTICATED, 'grpc-message': 'the key is not known' };
      stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...said }, { endStream: true });
      return;
    }
    counts.let++;
    passOn(stream, behind.request(passed(headers)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    // By name: from Node 26 on, gRPC takes no IP address with TLS.
    address: `localhost:${(server.address() as AddressInfo).port}`,
    counts,
    stop: () => {
      behind.destroy();
      for (const session of sessions) session.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function passOn(stream: ServerHttp2Stream, request: ReturnType<ReturnType<typeof connect>['request']>): void {
  let trailers: OutgoingHttpHeaders = {};
  request.on('response', (headers, flags) => {
    if (stream.destroyed) return;
    const isAll = (flags & constants.NGHTTP2_FLAG_END_STREAM) !== 0;
    stream.respond(passed(headers), isAll ? { endStream: true } : { waitForTrailers: true });
    if (!isAll) request.pipe(stream);
  });
  request.on('trailers', (given) => (trailers = passed(given)));
  stream.on('wantTrailers', () => stream.sendTrailers(trailers));
  stream.pipe(request);
  for (const [one, other] of [
    [stream, request],
    [request, stream],
  ] as const) {
    one.on('error', () => undefined);
    one.on('aborted', () => other.close(constants.NGHTTP2_CANCEL));
  }
}

function passed(headers: IncomingHttpHeaders): OutgoingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
}
