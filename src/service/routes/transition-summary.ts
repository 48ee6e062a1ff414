import { z } from '@hono/zod-openapi';
import type { Catalogue } from '../lists/catalogue.js';
import { Visible } from '../lists/visible.js';
import type { ServiceStore } from '../service-store.js';
import { periodOf } from '../summary/period.js';
import { refuseOthers } from '../summary/question.js';
import { bucketSchema, transitionSummarySchema } from '../summary/transition-summary-schema.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const text = (description: string, example: string) => z.string().optional().openapi({ description, example });

/** Serves what went along the arrows of the state diagrams in a period, and how long entities were in their states. S6.3 */
export function serveTransitionSummary(app: ServiceApp, store: ServiceStore, { dimensions }: Catalogue): void {
  const route = {
    method: 'get',
    path: '/api/transitions/summary',
    operationId: 'summariseTransitions',
    tag: 'transitions',
    summary: 'Count the transitions and rejections of a period, and time the states',
    description: 'By type and states. It comes from the store, with a short delay.',
    request: {
      query: z.object({
        from: text('The begin of the period: a time, or a duration before now. Default: 1h.', '1h'),
        until: text('The end: a time, or a duration before now. Default: now.', '2026-11-21T14:00:00Z'),
        by: bucketSchema.optional().openapi({ description: 'Each minute or hour by itself.' }),
      }),
    },
    responses: { 200: jsonResponse('The event.', transitionSummarySchema) },
    problems: [504],
  } as const;
  serve(app, route, async (context) => {
    const visible = Visible.to(context.var.guard, 'transitions', dimensions);
    const options = new URL(context.req.url).searchParams;
    refuseOthers(options, ['from', 'until', 'by']);
    const { from, until } = periodOf(options, '1h', Date.now());
    const by = bucketSchema.optional().parse(options.get('by') ?? undefined);
    return context.json(await store.countTransitions({ from, until, by }, visible), 200);
  });
}
