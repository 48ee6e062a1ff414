import { keySchemas } from '../../definition/key-schema.js';
import { displayNamesOf, type DisplayNames } from '../../definition/display-name.js';
import { creationEvents } from '../declared-schema.js';
import { pathOfType, type EntityModule } from '../module.js';
import type { ServiceApp } from './route.js';

/** The description of a type in `/docs/types.json`, for clients that know an entity by its type and key. */
export interface DescribedType {
  /** The path of its entities: `/api/control-plane/v1/LogicalServer`. */
  readonly path: string;
  /** The names of the parts of a key, in their order; absent where the key is one text. */
  readonly key?: readonly string[];
  readonly states: readonly string[];
  /** The events by which an entity can come to be. */
  readonly creation: readonly string[];
  /** The event that answers a request to cancel; absent where none does. */
  readonly cancel?: string;
  readonly displayNames: DisplayNames;
}

/** Serves the OpenAPI document of the service. S6.1 */
export function serveDocumentation(app: ServiceApp, modules: readonly EntityModule[]): void {
  const names = modules.map(({ name, version }) => `${name} v${version}`).join(', ');
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    ...{ type: 'http', scheme: 'bearer' },
    description: 'A JSON Web Token, or an API key. A development service on this machine asks for neither.',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'apiKey', {
    ...{ type: 'apiKey', in: 'header', name: 'X-API-Key' },
    description: 'An API key, which `reeve keys create` makes.',
  });
  app.doc31('/openapi.json', {
    openapi: '3.1.0',
    info: {
      title: 'Reeve: management service',
      version: '1',
      description:
        `Entity types: ${names}. POST raises an event. The answer 202 names the operation that the event has opened. Follow that ` +
        'at Operation-Location, or wait for its outcome with `Prefer: wait=10`. Every failure is a problem document (RFC 9457) ' +
        'with a stable `code`.',
    },
    servers: [{ url: '/' }],
  });
  // This small document is for clients that know an entity by its type and key.
  const types = modules.flatMap((module) =>
    module.entities.map((entity): readonly [string, DescribedType] => {
      const schemas = keySchemas(entity);
      const path = pathOfType(module, entity.name);
      const displayNames = displayNamesOf(entity);
      const states = Object.keys(entity.states);
      const creation = creationEvents(entity);
      const { name, cancel } = entity;
      const key = schemas && { key: Object.keys(schemas) };
      return [name, { path, ...key, states, creation, ...(cancel !== undefined && { cancel }), displayNames }];
    }),
  );
  app.get('/docs/types.json', (context) => context.json(Object.fromEntries(types)));
}
