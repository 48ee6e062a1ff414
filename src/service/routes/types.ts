import { z } from '@hono/zod-openapi';
import { describeEntity, type EntityDescription } from '../../definition/describe.js';
import { creationEvents } from '../declared-schema.js';
import { pathOfType, type EntityModule } from '../module.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const typesSchema = z
  .object({
    items: z.array(
      z.looseObject({
        name: z.string(),
        path: z.string().openapi({ description: 'The path of its entities.' }),
        creation: z.array(z.string()).openapi({ description: 'The events that create one.' }),
        states: z.array(z.looseObject({ name: z.string() })),
        events: z.array(z.looseObject({ name: z.string() })),
        actions: z.array(z.looseObject({ name: z.string() })),
      }),
    ),
  })
  .openapi('Types', { description: 'The declarations as data. Schemas in it are JSON Schema.' });

/** A type as it is served. */
export interface ServedType extends EntityDescription {
  /** The path of its entities: `/api/control-plane/v1/LogicalServer`. */
  readonly path: string;
  readonly creation: readonly string[];
}

/** Serves the declarations as data: states, events with the schemas of their parameters, actions. S6.1 */
export function serveTypes(app: ServiceApp, modules: readonly EntityModule[]): void {
  const described = modules.flatMap((module) =>
    module.entities.map((entity): ServedType => {
      const path = pathOfType(module, entity.name);
      return { ...describeEntity(entity), path, creation: creationEvents(entity) };
    }),
  );
  const route = {
    method: 'get',
    path: '/api/types',
    operationId: 'listTypes',
    tag: 'types',
    summary: 'List the declarations of the entity types that you may read',
    responses: { 200: jsonResponse('Each type.', typesSchema) },
  } as const;
  serve(app, route, async (context) => {
    const { guard } = context.var;
    guard.list('types');
    const { types } = guard.readable;
    return context.json({ items: described.filter(({ name }) => types.includes(name)) }, 200);
  });
}
