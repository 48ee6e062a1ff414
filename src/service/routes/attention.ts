import { attentionSchema } from '../attention/attention-schema.js';
import { findConcerns } from '../attention/find-concerns.js';
import type { Catalogue } from '../lists/catalogue.js';
import { Visible } from '../lists/visible.js';
import type { ServiceParts } from '../parts.js';
import type { ServiceStore } from '../service-store.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

/** Serves what needs a person: what is stuck, what is hung, and whose tasks fail. S5.3, S5.4 */
export function serveAttention(app: ServiceApp, parts: ServiceParts, store: ServiceStore, catalogue: Catalogue): void {
  const route = {
    method: 'get',
    path: '/api/attention',
    operationId: 'listAttention',
    tag: 'lists',
    summary: 'List the problems that need a person',
    description:
      'Entities and operations that make no progress and need an operator, and operations that exceed their budget, each with ' +
      'its time, its cause and a remedy.',
    responses: { 200: jsonResponse('The oldest first.', attentionSchema) },
  } as const;
  serve(app, route, async (context) => {
    const { guard } = context.var;
    const visible = Visible.to(guard, 'attention', catalogue.dimensions);
    return context.json(await findConcerns(parts, store, catalogue, { readable: guard.readable, visible }), 200);
  });
}
