import { z } from '@hono/zod-openapi';
import { attentionSchema, type Attention } from '../attention/attention-schema.js';
import { findConcerns, USUAL, type Sources } from '../attention/find-concerns.js';
import type { Catalogue } from '../lists/catalogue.js';
import { Visible } from '../lists/visible.js';
import { Shared } from '../shared.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const MOST = 1_000;

/** Serves what needs a person. S5.3, S5.4 */
export function serveAttention(app: ServiceApp, sources: Sources, { dimensions }: Pick<Catalogue, 'dimensions'>): void {
  const shared = new Shared<Attention>();
  const query = z.object({
    $top: z.coerce.number().int().min(1).max(MOST).default(USUAL).openapi({ description: 'The most of each kind.' }),
  });
  const route = {
    method: 'get',
    path: '/api/attention',
    operationId: 'listAttention',
    tag: 'lists',
    summary: 'List the problems that need a person',
    description:
      'Pending answers from outside, error states, everything stuck, hung, paused or failed, and everything that no worker or executor ' +
      'serves, each with its time, its cause and a remedy. It is read from the store and from the lists of Temporal.',
    request: { query },
    responses: { 200: jsonResponse('The oldest first.', attentionSchema) },
  } as const;
  serve(app, route, async (context) => {
    const { guard } = context.var;
    const visible = Visible.to(guard, 'attention', dimensions);
    const { readable } = guard;
    const { $top: most } = query.parse(context.req.query());
    return context.json(
      await shared.of([readable, most], () => findConcerns(sources, { readable, visible, most })),
      200,
    );
  });
}
