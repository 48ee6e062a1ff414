import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { notListening } from './not-listening.js';
import { openMetrics, takesOpenMetrics } from './open-metrics.js';

/** A server from which Prometheus reads measures. */
export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** The address at which it listens. */
export interface MetricsAddress {
  readonly host: string;
  /** The port; 0 stands for any that is free. */
  readonly port: number;
  /** Shows what sets the port, for people: the name of a variable. */
  readonly setting?: string;
}

/**
 * Serves the measures of a process that has no other port, at `/metrics`, and for platforms whether it lives and takes work:
 * `/health/live` and `/health/ready`, as the service has them. S5.5, Q3
 * @param isReady whether it takes work now; without it, it does from the beginning
 * @throws when it cannot listen there, with what to set
 */
export async function serveMetrics(
  registry: Registry,
  { host, port, setting = 'port' }: MetricsAddress,
  isReady: () => boolean = () => true,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    const path = request.method === 'GET' ? request.url : undefined;
    if (path === '/health/live' || path === '/health/ready') {
      const isWell = path === '/health/live' || isReady();
      const status = isWell ? 'ok' : 'not ready';
      response.writeHead(isWell ? 200 : 503, { 'Content-Type': 'application/json' }).end(JSON.stringify({ status }));
      return;
    }
    if (path !== '/metrics') {
      response.writeHead(404).end('Measures are at /metrics, and health at /health/live and /health/ready.\n');
      return;
    }
    const open = takesOpenMetrics(request.headers.accept);
    const contentType = open ? Registry.OPENMETRICS_CONTENT_TYPE : registry.contentType;
    (open ? openMetrics(registry) : registry.metrics()).then(
      (text) => response.writeHead(200, { 'Content-Type': contentType, Vary: 'Accept' }).end(text),
      (thrown: unknown) => response.writeHead(500).end(`${String(thrown)}\n`),
    );
  });
  await new Promise<void>((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) =>
      reject(
        notListening(error, 'The server of measures', { host, port }, { port: setting, host: 'REEVE_METRICS_HOST' }),
      );
    server.once('error', fail).listen(port, host, () => resolve());
  });
  const { port: given } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${given}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
