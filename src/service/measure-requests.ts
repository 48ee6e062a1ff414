import { matchedRoutes } from 'hono/route';
import type { Registry } from 'prom-client';
import type { Traces } from '../telemetry/tracing/traces.js';
import { spanOfRequest } from '../telemetry/tracing/request-span.js';
import { RequestMetrics } from '../telemetry/request-metrics.js';
import type { ServiceContext } from './context.js';
import type { ServiceApp } from './routes/route.js';

/** Measures every request, and traces those that belong to an operation. S5.5, S6.1 */
export function measureRequests(app: ServiceApp, registry: Registry, traces?: Traces): void {
  const requests = new RequestMetrics(registry);
  app.use(async (context, next) => {
    const startedAt = performance.now();
    requests.begun();
    try {
      await next();
    } finally {
      const { method } = context.req;
      const seconds = (performance.now() - startedAt) / 1_000;
      const answered = { method, route: routeOf(context), status: context.res.status };
      requests.answered({ ...answered, seconds });
      const { operation, requestId } = context.var;
      const traceparent = context.req.header('traceparent');
      if (operation !== undefined) {
        const endedAt = Date.now();
        const times = { startedAt: endedAt - seconds * 1_000, endedAt };
        const caller = traceparent !== undefined && { traceparent };
        traces?.add(spanOfRequest({ operation, requestId, ...answered, ...times, ...caller }));
      }
    }
  });
}

/** The path as the route declares it, since a real path has keys in it, of which there are any number. */
function routeOf(context: ServiceContext): string {
  return matchedRoutes(context).find(({ method }) => method !== 'ALL')?.path ?? 'none';
}
