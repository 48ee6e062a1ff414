import { z } from '@hono/zod-openapi';
import type { Catalogue } from '../lists/catalogue.js';
import { csdlXml } from '../lists/csdl-xml.js';
import { metadataFormat, FORMATS } from '../lists/metadata-format.js';
import { metadataOf } from '../lists/metadata.js';
import { jsonResponse, responseHeaders, serve, type ServiceApp } from './route.js';

const documentSchema = z.object({
  '@odata.context': z.string(),
  value: z.array(z.object({ name: z.string(), kind: z.literal('EntitySet'), url: z.string() })),
});
const options = z.object({
  $format: z.string().optional().openapi({
    pattern: '^(xml|json|application/(xml|json))(;.*)?$',
    description: '`xml` or `json`. By default, the media type of Accept.',
    example: 'json',
  }),
});

/** Serves for OData clients what each root has: its lists, and what they hold. S6.2 */
export function serveMetadata(app: ServiceApp, catalogue: Catalogue): void {
  for (const root of [catalogue.store, ...catalogue.modules]) {
    const { path, lists, namespace } = root;
    const common = { method: 'get', tag: 'lists' } as const;
    const name = namespace.replaceAll('.', '_');
    const csdl = metadataOf(catalogue, root);
    const metadata = { json: JSON.stringify(csdl), xml: csdlXml(csdl) };
    const document = {
      '@odata.context': `${path}/$metadata`,
      value: lists.map((list) => ({ name: list.name, kind: 'EntitySet', url: `${path}/${list.name}` })),
    };

    const index = {
      ...common,
      path,
      operationId: `index_of_${name}`,
      summary: `The lists of ${namespace}`,
      responses: { 200: jsonResponse('The service document of OData.', documentSchema) },
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
      summary: `The types of ${namespace}, with their properties, links and events`,
      request: { query: options },
      responses: {
        200: {
          description: 'The types, in OData CSDL 4.01.',
          content: {
            [FORMATS.xml]: { schema: z.string() },
            [FORMATS.json]: { schema: z.looseObject({ $Version: z.string() }) },
          },
          headers: responseHeaders({ 'OData-Version': '4.01', Vary: 'The answer depends on Accept.' }),
        },
      },
      problems: [406],
    } as const;
    serve(app, described, async (context) => {
      context.var.guard.list('$metadata');
      const format = metadataFormat(context.req.query('$format'), context.req.header('accept'));
      const headers = { 'Content-Type': FORMATS[format], 'OData-Version': '4.01', Vary: 'Accept' };
      return context.body(metadata[format], 200, headers);
    });
  }
}
