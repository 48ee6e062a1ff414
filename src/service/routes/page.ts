import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FOR_EVER, readStaticFile, sendStaticFile, type StaticFile } from '../static-file.js';
import type { ServiceApp } from './route.js';

/** Nothing inline, and nothing from elsewhere. */
const contentSecurity = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

/**
 * Serves the web page at `/`, from what the build has made. S6.3
 * @param folder where the files are; without it there is no page
 * @throws when the folder has no page
 */
export function servePage(app: ServiceApp, folder: string | undefined): void {
  if (folder === undefined) return;
  const index = readStaticFile(join(folder, 'index.html'));
  const icon = readStaticFile(join(folder, 'favicon.svg'));
  const assets = new Map(readdirSync(join(folder, 'assets')).map((name) => [name, join(folder, 'assets', name)]));
  const read = new Map<string, StaticFile>();
  app.get('/', (context) => sendStaticFile(context, index, { cache: 'no-cache', contentSecurity }));
  app.get('/favicon.svg', (context) => sendStaticFile(context, icon, { cache: 'max-age=86400', contentSecurity }));
  app.get('/assets/:file', (context) => {
    const name = context.req.param('file');
    const path = assets.get(name);
    if (path === undefined) return context.notFound();
    const file = read.get(name) ?? readStaticFile(path);
    read.set(name, file);
    return sendStaticFile(context, file, { cache: FOR_EVER, contentSecurity });
  });
}
