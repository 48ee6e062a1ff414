import { z } from '@hono/zod-openapi';
import type { Catalogue } from '../lists/catalogue.js';
import { metadataOf } from '../lists/metadata.js';
import { jsonResponse, serve, type ServiceApp } from './route.js';

const documentSchema = z.object({
  '@odata.context': z.string(),
  value: z.array(z.object({ name: z.string(), kind: z.literal('EntitySet'), url: z.string() })),
});

/** What each root has: its lists, and what they hold. For OData clients. S6.2 */
export function serveMetadata(app: ServiceApp, catalogue: Catalogue): void {
  for (const root of [catalogue.store, ...catalogue.modules]) {
    const { path, lists, namespace } = root;
    const common = { method: 'get', tag: 'lists' } as const;
    const name = namespace.replaceAll('.', '_');
    const metadata = metadataOf(catalogue, root);
    const document = {
      '@odata.context': `${path}/$metadata`,
      value: lists.map((list) => ({ name: list.name, kind: 'EntitySet', url: `${path}/${list.name}` })),
    };

    const index = {
      ...common,
      path,
      operationId: `index_of_${name}`,
      summary: `The lists of ${namespace}`,
      responses: { 200: jsonResponse('OData service document.', documentSchema) },
    };
    serve(app, index, async (context) => {
      context.var.guard.list('$metadata');
      context.header('OData-Version', '4.01');
      return context.json(document, 200);
    });

    const described = {
      ...common,
      path: `${path}/$metadata`,
      operationId: `metadata_of_${name}`,
      summary: `The types of ${namespace}, with their properties, ways to each other, and events`,
      responses: { 200: jsonResponse('OData CSDL JSON 4.01.', z.looseObject({ $Version: z.string() })) },
    };
    serve(app, described, async (context) => {
      context.var.guard.list('$metadata');
      context.header('OData-Version', '4.01');
      return context.json(metadata, 200);
    });
  }
}
