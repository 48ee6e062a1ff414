import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ServiceContext } from './context.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};
const HEADERS = { 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' };
/** For files whose names tell their content, so that they never change. */
export const FOR_EVER = 'public, max-age=31536000, immutable';

/** A file of a page, as it is sent. */
export interface StaticFile {
  readonly type: string;
  readonly content: Uint8Array<ArrayBuffer>;
  readonly compressed: Uint8Array<ArrayBuffer>;
}

export function readStaticFile(path: string): StaticFile {
  const content = new Uint8Array(readFileSync(path));
  return {
    type: TYPES[extname(path)] ?? 'application/octet-stream',
    content,
    compressed: new Uint8Array(gzipSync(content)),
  };
}

/** Sends a file, compressed if the browser takes that. */
export function sendStaticFile(
  context: ServiceContext,
  { type, content, compressed }: StaticFile,
  answer: { readonly cache: string; readonly contentSecurity: string; readonly status?: 200 | 404 },
): Response {
  const { cache, contentSecurity, status = 200 } = answer;
  const headers = {
    ...HEADERS,
    ...{ 'Content-Security-Policy': contentSecurity, 'Content-Type': type, 'Cache-Control': cache },
    Vary: 'Accept-Encoding',
  };
  if (!/\bgzip\b/.test(context.req.header('accept-encoding') ?? '')) return context.body(content, status, headers);
  return context.body(compressed, status, { ...headers, 'Content-Encoding': 'gzip' });
}
