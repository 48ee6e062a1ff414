import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';

/**
 * Finds the links of a built site that lead to no page, file or anchor.
 * @returns one line for each: the page, and its link
 */
export function deadAnchors(folder, base) {
  const files = readdirSync(folder, { recursive: true }).map((file) => file.replaceAll(sep, '/'));
  const pages = new Map(
    files
      .filter((file) => file.endsWith('.html'))
      .map((file) => [
        `${base}${file.replace(/(?:(?<=^|\/)index)?\.html$/, '')}`,
        readFileSync(join(folder, file), 'utf8'),
      ]),
  );
  const anchors = new Map(
    [...pages].map(([page, html]) => [page, new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const dead = new Set();
  for (const [page, html] of pages) {
    for (const [, href] of html.matchAll(/<a [^>]*?href="([^"]+)"/g)) {
      if (/^\w+:/.test(href)) continue;
      const url = new URL(href.replaceAll('&amp;', '&'), `http://site${page}`);
      const path = url.pathname;
      const ids = anchors.get(path);
      const exists = ids
        ? url.hash === '' || ids.has(decodeURIComponent(url.hash.slice(1)))
        : files.includes(path.slice(base.length));
      if (!exists) dead.add(`${page}: ${href}`);
    }
  }
  return [...dead];
}
