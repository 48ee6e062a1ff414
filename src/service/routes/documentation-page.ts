import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { MissingPackage, optionalPackage } from '../../packages/optional-package.js';
import { ProblemError } from '../problem.js';
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

const SWAGGER = {
  name: 'swagger-ui-dist',
  use: 'this page shows the API with it',
  otherwise: 'The document that it shows is at /openapi.json',
};
const require = createRequire(import.meta.url);

/** Serves a page to read the OpenAPI document and to try the calls out. All files of the page come from here. S6.1 */
export function serveDocumentationPage(app: ServiceApp): void {
  app.get('/docs', (context) => {
    swaggerFolder();
    context.header('Content-Security-Policy', CONTENT_SECURITY);
    return context.html(PAGE);
  });
  app.get('/docs/start.js', (context) => context.body(START, 200, { 'Content-Type': 'text/javascript' }));
  for (const [file, type] of Object.entries(FILES)) {
    app.get(`/docs/${file}`, async (context) => {
      const content = await readFile(join(swaggerFolder(), file));
      return context.body(new Uint8Array(content), 200, { 'Content-Type': type, 'Cache-Control': 'max-age=86400' });
    });
  }
}

/** @throws ProblemError 404 when the package is not installed, with the command that installs it */
function swaggerFolder(): string {
  try {
    return dirname(optionalPackage(SWAGGER, () => require.resolve('swagger-ui-dist/package.json')));
  } catch (thrown) {
    if (thrown instanceof MissingPackage) throw new ProblemError('missing_package', thrown.message);
    throw thrown;
  }
}
