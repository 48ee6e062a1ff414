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
const healthSchema = z
  .object({
    status: z.literal('ok'),
    store: z
      .literal('unavailable')
      .optional()
      .openapi({ description: 'The store is unavailable: requests that need it are answered with 503.' }),
  })
  .openapi('Health');

/** Serves whether the process lives, and whether it can do its work. A load balancer sends requests to what is ready. */
export function serveHealth(
  app: ServiceApp,
  {
    dependencies,
    store,
    stopping,
  }: { readonly dependencies: readonly Dependency[]; readonly store: Dependency | undefined; stopping(): boolean },
): void {
  const ok = (description: string) => ({ 200: jsonResponse(description, healthSchema) });
  app.openapi(
    {
      method: 'get',
      path: '/health/live',
      operationId: 'live',
      tags: ['health'],
      summary: 'Liveness of the process.',
      responses: ok('The process is alive.'),
    },
    (context) => context.json({ status: 'ok' as const }, 200),
  );
  const route = {
    method: 'get' as const,
    path: '/health/ready',
    operationId: 'ready',
    tags: ['health'],
    summary: 'Ready for requests?',
    responses: {
      ...ok('Ready: what it needs is available.'),
      503: problemResponse('Not ready: the instance stops, or a service that it needs is unavailable.'),
    },
  };
  app.openapi(route, async (context) => {
    if (stopping()) throw new ProblemError('stopping', 'This instance is stopping. Ask another one.');
    for (const { name, check } of dependencies) {
      await answeredWithin(CHECKED_WITHIN_MS, check()).catch(() => {
        throw new ProblemError('not_ready', `${name} does not answer.`, {}, { 'Retry-After': '5' });
      });
    }
    const away = store !== undefined && (await isAway(store));
    return context.json({ status: 'ok' as const, ...(away && { store: 'unavailable' as const }) }, 200);
  });
}

async function isAway({ check }: Dependency): Promise<boolean> {
  return answeredWithin(CHECKED_WITHIN_MS, check()).then(
    () => false,
    () => true,
  );
}
