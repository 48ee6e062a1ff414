import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { ServiceContext } from '../context.js';
import { FOR_EVER, readStaticFile, sendStaticFile, type StaticFile } from '../static-file.js';
import type { ServiceApp } from './route.js';

const ROOT = '/guide/';
const NOT_BUILT =
  'The guide is not built. In a clone of Reeve, run `npm run docs`, and start the service again. ' +
  'The same pages are in the folder docs of Reeve: node_modules/reeve/docs in a project.\n';
/** A script with its content in the page. */
const INLINE = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

interface GuideFile extends StaticFile {
  readonly contentSecurity: string;
}

/**
 * Serves the documentation of this version at `/guide`, from what `npm run docs` has made. S6.3
 * @param folder where the files are. Without them, the answer is 404 and says how to build them
 */
export function serveGuide(app: ServiceApp, folder: string | undefined): void {
  const isBuilt = folder !== undefined && existsSync(join(folder, 'index.html'));
  const paths = isBuilt ? filesOf(folder) : new Map<string, string>();
  const read = new Map<string, GuideFile>();
  const send = (context: ServiceContext, path: string, status: 200 | 404 = 200): Response => {
    const file = read.get(path) ?? readGuideFile(path);
    read.set(path, file);
    const cache = /[/\\]assets[/\\]/.test(path) ? FOR_EVER : path.endsWith('.html') ? 'no-cache' : 'max-age=86400';
    return sendStaticFile(context, file, { cache, contentSecurity: file.contentSecurity, status });
  };
  app.get('/guide', (context) => context.redirect(ROOT));
  app.get('/guide/*', (context) => {
    if (!isBuilt) return context.text(NOT_BUILT, 404);
    // Only names that were found in the folder are known, so no path leads out of it.
    const path = paths.get(context.req.path.slice(ROOT.length));
    return path === undefined ? send(context, join(folder, '404.html'), 404) : send(context, path);
  });
}

/** Each file by its path in the address. Addresses of pages have no `.html`; with it, they work too. */
function filesOf(folder: string): ReadonlyMap<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.flatMap((entry) => {
      const path = join(entry.parentPath, entry.name);
      const name = path
        .slice(folder.length)
        .split(sep)
        .filter((part) => part !== '')
        .join('/');
      return [name, name.replace(/(?:(?<=^|\/)index)?\.html$/, '')].map((address) => [address, path] as const);
    }),
  );
}

function readGuideFile(path: string): GuideFile {
  const file = readStaticFile(path);
  const text = path.endsWith('.html') ? Buffer.from(file.content).toString() : '';
  const scripts = [...text.matchAll(INLINE)].map(
    ([, script]) => `'sha256-${createHash('sha256').update(script!).digest('base64')}'`,
  );
  return { ...file, contentSecurity: contentSecurity(scripts) };
}

/** Allows scripts of the site, and the inline ones with these hashes. Colours of code are styles of its elements. */
function contentSecurity(scripts: readonly string[]): string {
  return [
    ...["default-src 'none'", ["script-src 'self'", ...scripts].join(' '), "style-src 'self' 'unsafe-inline'"],
    ...[
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ],
  ].join('; ');
}
