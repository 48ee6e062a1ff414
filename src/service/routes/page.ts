import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ServiceContext } from '../context.js';
import type { ServiceApp } from './route.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** Nothing inline, and nothing from elsewhere. */
const CONTENT_SECURITY = [
  ...["default-src 'none'", "script-src 'self'", "style-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["worker-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');
const HEADERS = {
  'Content-Security-Policy': CONTENT_SECURITY,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
};
/** The names of assets tell their content, so they never change. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** A file of the page, as it is sent. */
interface PageFile {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
}

/**
 * Serves the web page at `/`, from what the build has made. S6.3
 * @param folder where the files are; without it there is no page
 * @throws when the folder has no page
 */
export function servePage(app: ServiceApp, folder: string | undefined): void {
  if (folder === undefined) return;
  const index = readPageFile(join(folder, 'index.html'));
  const icon = readPageFile(join(folder, 'favicon.svg'));
  const assets = new Map(readdirSync(join(folder, 'assets')).map((name) => [name, join(folder, 'assets', name)]));
  const read = new Map<string, PageFile>();
  app.get('/', (context) => send(context, index, 'no-cache'));
  app.get('/favicon.svg', (context) => send(context, icon, 'max-age=86400'));
  app.get('/assets/:file', (context) => {
    const name = context.req.param('file');
    const path = assets.get(name);
    if (path === undefined) return context.notFound();
    const file = read.get(name) ?? readPageFile(path);
    read.set(name, file);
    return send(context, file, FOR_EVER);
  });
}

function readPageFile(path: string): PageFile {
  const content = new Uint8Array(readFileSync(path));
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    content,
    compressed: new Uint8Array(gzipSync(content)),
  };
}

function send(context: ServiceContext, { type, content, compressed }: PageFile, cache: string): Response {
  const headers = { ...HEADERS, 'Content-Type': type, 'Cache-Control': cache, Vary: 'Accept-Encoding' };
  if (!/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) return context.body(content, 200, headers);
  return context.body(compressed, 200, { ...headers, 'Content-Encoding': 'gzip' });
}
