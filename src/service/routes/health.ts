import { z } from '@hono/zod-openapi';
import { answeredWithin } from '../answer-limit.js';
import { jsonResponse, problemResponse, type ServiceApp } from './route.js';
import { ProblemError } from '../problem.js';

/** Something without which the service cannot work. */
export interface Dependency {
  readonly name: string;
  /** @throws when it is away */
  check(): Promise<void>;
}

const CHECKED_WITHIN_MS = 2_000;
const healthSchema = z.object({ status: z.literal('ok') }).openapi('Health');

/** Serves whether the process lives, and whether it can do its work. A load balancer sends requests to what is ready. */
export function serveHealth(
  app: ServiceApp,
  { dependencies, stopping }: { readonly dependencies: readonly Dependency[]; stopping(): boolean },
): void {
  const ok = { 200: jsonResponse('Yes.', healthSchema) };
  app.openapi(
    { method: 'get', path: '/health/live', operationId: 'live', tags: ['health'], summary: 'Alive?', responses: ok },
    (context) => context.json({ status: 'ok' as const }, 200),
  );
  const route = {
    method: 'get' as const,
    path: '/health/ready',
    operationId: 'ready',
    tags: ['health'],
    summary: 'Ready for requests?',
    responses: { ...ok, 503: problemResponse('No. The instance stops, or something that it needs is away.') },
  };
  app.openapi(route, async (context) => {
    if (stopping()) throw new ProblemError(503, 'stopping', 'This instance is stopping. Ask another one.');
    for (const { name, check } of dependencies) {
      await answeredWithin(CHECKED_WITHIN_MS, check()).catch(() => {
        throw new ProblemError(503, 'not_ready', `${name} does not answer.`, {}, { 'Retry-After': '5' });
      });
    }
    return context.json({ status: 'ok' as const }, 200);
  });
}
