import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { keySchemas } from '../../definition/key-schema.js';
import { displayNamesOf, type DisplayNames } from '../../definition/display-name.js';
import { creationEvents } from '../declared-schema.js';
import { pathOfType, type EntityModule } from '../module.js';
import type { ServiceApp } from './route.js';

const FILES: Readonly<Record<string, string>> = {
  'swagger-ui-bundle.js': 'text/javascript',
  'swagger-ui.css': 'text/css',
  'favicon-32x32.png': 'image/png',
};
const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Reeve: management service</title>
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <link rel="icon" href="docs/favicon-32x32.png" />
  </head>
  <body>
    <div id="page"></div>
    <script src="docs/swagger-ui-bundle.js"></script>
    <script src="docs/start.js"></script>
  </body>
</html>
`;
const START = `SwaggerUIBundle({ url: 'openapi.json', dom_id: '#page', validatorUrl: null, docExpansion: 'none' });\n`;
const CONTENT_SECURITY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** What `/docs/types.json` says about a type, for clients that know an entity by its type and key. */
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

/**
 * Serves the OpenAPI document of the service, and a page to read it and to try it out. All files of the page come from here. S6.1
 */
export function serveDocumentation(app: ServiceApp, modules: readonly EntityModule[]): void {
  const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
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
  app.get('/docs', (context) => {
    context.header('Content-Security-Policy', CONTENT_SECURITY);
    return context.html(PAGE);
  });
  app.get('/docs/start.js', (context) => context.body(START, 200, { 'Content-Type': 'text/javascript' }));
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
  for (const [file, type] of Object.entries(FILES)) {
    app.get(`/docs/${file}`, async (context) => {
      const content = await readFile(join(folder, file));
      return context.body(new Uint8Array(content), 200, { 'Content-Type': type, 'Cache-Control': 'max-age=86400' });
    });
  }
}
