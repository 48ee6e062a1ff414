import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slugOf } from '../../infra/anchors.mjs';
import { deadAnchors } from './dead-anchors.mjs';
import { SECTIONS } from './sections.mjs';

const docs = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${docs}../package.json`, 'utf8'));
const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(`${docs}${page}.md`, 'utf8'))?.[1].replaceAll('`', '') ?? page;
const item = (page) => ({ text: titleOf(page), link: `/${page}` });

/** The pages of a folder that no list names, such as those that a command writes. */
function others(folder, named) {
  if (!existsSync(`${docs}${folder}`)) return [];
  const entries = readdirSync(`${docs}${folder}`, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map(({ name }) => `${folder}/${name.slice(0, -3)}`)
    .filter((page) => !named.includes(page))
    .sort();
}

function sidebarOf({ folder, groups }) {
  const named = groups.flatMap(({ pages }) => pages);
  const rest = others(folder, named).map(item);
  const lists = groups.map(({ text, pages }) => ({ text, items: pages.map(item) }));
  return rest.length === 0 ? lists : [{ items: rest }, ...lists];
}

/** Links lead to files, as they do in the repository. What is outside of `docs` is not on the site, so its name stays as text. */
function unlinkOutside(markdown) {
  const open = markdown.renderer.rules.link_open;
  const close =
    markdown.renderer.rules.link_close ??
    ((tokens, index, options, _, self) => self.renderToken(tokens, index, options));
  const isOutside = (href, page) =>
    !/^(?:\w+:|#|\/)/.test(href) &&
    posix.join('docs', posix.dirname(page), href.replace(/#.*/, '')).startsWith('docs/') === false;
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const token = tokens[index];
    const outside = isOutside(token.attrGet('href') ?? '', env.relativePath ?? '');
    (env.outside ??= []).push(outside);
    return outside ? '<span class="in-repository">' : open(tokens, index, options, env, self);
  };
  markdown.renderer.rules.link_close = (tokens, index, options, env, self) =>
    env.outside.pop() ? '</span>' : close(tokens, index, options, env, self);
}

/** `npm run docs` builds the site into dist/guide. The management service serves it there at /guide. */
export default defineConfig({
  lang: 'en',
  title: 'Reeve',
  description: 'Managed things as state machines, each one a durable Temporal workflow.',
  base: '/guide/',
  outDir: '../dist/guide',
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  // One file has what each page would repeat in a script of its own.
  metaChunk: true,
  head: [['link', { rel: 'icon', href: '/guide/favicon.svg', type: 'image/svg+xml' }]],
  markdown: { anchor: { slugify: slugOf }, toc: { slugify: slugOf }, config: unlinkOutside },
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4096 } },
  buildEnd({ outDir }) {
    const dead = deadAnchors(outDir, '/guide/');
    if (dead.length > 0) throw new Error(`These links lead to nothing:\n${dead.join('\n')}`);
  },
  themeConfig: {
    logo: '/favicon.svg',
    outline: { level: [2, 3] },
    siteTitle: `Reeve ${version}`,
    // Codes of errors are words of several parts, so a short part has to be right.
    search: { provider: 'local', options: { detailedView: true, miniSearch: { searchOptions: { fuzzy: 0.1 } } } },
    nav: SECTIONS.map(({ text, folder, also = [], groups }) => ({
      text,
      link: `/${groups[0].pages[0]}`,
      activeMatch: `^/(?:${[folder, ...also].join('|')})/`,
    })),
    sidebar: Object.fromEntries(
      SECTIONS.flatMap((section) =>
        [section.folder, ...(section.also ?? [])].map((folder) => [`/${folder}/`, sidebarOf(section)]),
      ),
    ),
  },
});
