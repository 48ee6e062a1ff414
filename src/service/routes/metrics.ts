import { matchedRoutes } from 'hono/route';
import type { Registry } from 'prom-client';
import { RequestMetrics } from '../../telemetry/request-metrics.js';
import type { ServiceContext } from '../context.js';
import type { ServiceApp } from './route.js';

/** Measures every request, and serves all measures of the process to Prometheus at `/metrics`. S5.5, S6.1 */
export function serveMetrics(app: ServiceApp, registry: Registry): void {
  const requests = new RequestMetrics(registry);
  app.use(async (context, next) => {
    const startedAt = performance.now();
    requests.begun();
    try {
      await next();
    } finally {
      const { method } = context.req;
      const seconds = (performance.now() - startedAt) / 1_000;
      requests.answered({ method, route: routeOf(context), status: context.res.status, seconds });
    }
  });
  app.get('/metrics', async ({ body }) =>
    body(await registry.metrics(), 200, { 'Content-Type': registry.contentType }),
  );
}

/** As declared: a path has keys in it, of which there are any number. */
function routeOf(context: ServiceContext): string {
  return matchedRoutes(context).find(({ method }) => method !== 'ALL')?.path ?? 'none';
}
