import { z } from '@hono/zod-openapi';
import type { Catalogue } from '../lists/catalogue.js';
import { orUnavailable, whileUnavailable } from '../lists/live/while-unavailable.js';
import { Visible } from '../lists/visible.js';
import type { ServiceParts } from '../parts.js';
import { ProblemError } from '../problem.js';
import type { ServiceStore } from '../service-store.js';
import { countLive } from '../summary/count-live.js';
import { questionOf } from '../summary/question.js';
import { operationSummarySchema } from '../summary/summary-schema.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const text = (description: string, example: string) => z.string().optional().openapi({ description, example });

/**
 * The operation manager: what runs, waits, has ended and was done again, over a period. It stands before the route of one
 * operation, none of which the service ever calls `summary`. A4
 */
export function serveOperationSummary(
  app: ServiceApp,
  { reeve }: ServiceParts,
  store: ServiceStore,
  catalogue: Catalogue,
): void {
  const dimensions = ['name', ...catalogue.dimensions].join(', ');
  const route = {
    method: 'get',
    path: '/api/operations/summary',
    operationId: 'summariseOperations',
    tag: 'operations',
    summary: 'Count and time the operations of a period',
    description:
      'Operations that ended in the period, and operations that run or wait at its end. `operation_rollup` counts them by the day ' +
      'on which they began instead. It comes from the store, with a short delay.',
    request: {
      query: z.object({
        from: text('The begin of the period: a time, or a duration before now. Default: 24h.', '24h'),
        until: text('The end: a time, or a duration before now. Default: now.', '2026-11-21T14:00:00Z'),
        by: text(`The groups, separated by commas: ${dimensions}. By default, by name.`, 'name'),
        $filter: text('A condition of OData for the operations.', "startswith(name,'create')"),
        $top: z
          .string()
          .optional()
          .openapi({ type: 'integer', minimum: 0, description: 'The maximum number of groups; default 100.' }),
      }),
    },
    responses: { 200: jsonResponse('Their outcomes.', operationSummarySchema) },
    problems: [504],
  } as const;
  serve(app, route, async (context) => {
    const visible = Visible.to(context.var.guard, 'operations', catalogue.dimensions);
    const question = questionOf(new URL(context.req.url).searchParams, catalogue, Date.now());
    const told = await store.summary(question, visible).catch(orUnavailable);
    if (!(told instanceof ProblemError)) return context.json(told, 200);
    const live = () => countLive(reeve.live, question, context.var.guard.readable);
    return context.json(await whileUnavailable(told, INSTEAD, live), 200);
  });
}

const INSTEAD = 'Temporal can count operations that run now, by name, tenant and the properties that it has';
