import type { Catalogue } from '../lists/catalogue.js';
import { Visible } from '../lists/visible.js';
import type { ServiceStore } from '../service-store.js';
import { entitySummarySchema } from '../summary/entity-summary-schema.js';
import type { SharedCounts } from '../summary/shared-counts.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

/** Serves how many entities of each type are in which state and health. S6.3 */
export function serveEntitySummary(
  app: ServiceApp,
  store: ServiceStore,
  { dimensions }: Catalogue,
  counts: SharedCounts,
): void {
  const route = {
    method: 'get',
    path: '/api/entities/summary',
    operationId: 'summariseEntities',
    tag: 'entities',
    summary: 'Count the entities by type, state and health',
    description:
      'All entities that you may read and that are not deleted. The counts come from the store, with a short delay.',
    responses: { 200: jsonResponse('Their number.', entitySummarySchema) },
    problems: [504],
  } as const;
  serve(app, route, async (context) => {
    const visible = Visible.to(context.var.guard, 'entities', dimensions);
    const summary = await counts.of(context.var.guard.readable, () => store.countEntities(visible));
    return context.json(summary, 200);
  });
}
