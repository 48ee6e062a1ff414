import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitepress';
import { slugOf } from '../../infra/anchors.mjs';
import { deadAnchors } from './dead-anchors.mjs';
import { drawingsOf } from './drawings.mjs';
import { SECTIONS } from './sections.mjs';

const docs = fileURLToPath(new URL('..', import.meta.url));
const { version } = JSON.parse(readFileSync(`${docs}../package.json`, 'utf8'));
const titleOf = (page) => /^# (.+)$/m.exec(readFileSync(`${docs}${page}.md`, 'utf8'))?.[1].replaceAll('`', '') ?? page;
const item = (page) => ({ text: titleOf(page), link: `/${page.replace(/(^|\/)index$/, '$1')}` });

/**
 * The pages of a folder that no list names, such as those that a command writes. Of a folder in it, only the first page is there: every
 * page has the whole list in it, and there are hundreds of errors.
 */
function others(folder, named) {
  const pages = readdirSync(`${docs}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isFile()) return entry.name.endsWith('.md') ? [`${folder}/${entry.name.slice(0, -3)}`] : [];
    return existsSync(`${docs}${folder}/${entry.name}/index.md`) ? [`${folder}/${entry.name}/index`] : [];
  });
  const isFirst = (page) => Number(page === `${folder}/index`);
  return pages
    .filter((page) => !named.includes(page))
    .sort((one, other) => isFirst(other) - isFirst(one) || (one < other ? -1 : 1));
}

function sidebarOf({ folder, groups }) {
  const named = groups.flatMap(({ pages }) => pages);
  const rest = others(folder, named).map(item);
  const lists = groups.map(({ text, pages }) => ({ text, items: pages.map(item) }));
  const [first] = rest;
  if (first === undefined) return lists;
  return rest.length === 1 ? [first, ...lists] : [{ text: 'Made from the code', items: rest }, ...lists];
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

/** A head without a word is an ordinary cell: a screen reader would announce an empty name. */
function headNothing(markdown) {
  markdown.core.ruler.push('empty-heads', ({ tokens }) => {
    for (const [index, token] of tokens.entries()) {
      if (token.type !== 'th_open' || tokens[index + 1].content !== '') continue;
      token.tag = 'td';
      tokens[index + 2].tag = 'td';
    }
  });
}

const drawings = await drawingsOf(docs);
function drawFlowcharts(markdown) {
  const { fence } = markdown.renderer.rules;
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const { info, content } = tokens[index];
    return info === 'mermaid'
      ? `<div v-pre class="drawing-frame">${drawings.get(content.trim())}</div>`
      : fence(tokens, index, ...rest);
  };
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
  markdown: {
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (markdown) => [unlinkOutside, drawFlowcharts, headNothing].forEach((change) => change(markdown)),
  },
  vite: { logLevel: 'warn', build: { chunkSizeWarningLimit: 4096 } },
  buildEnd({ outDir }) {
    const dead = deadAnchors(outDir, '/guide/');
    if (dead.length > 0) throw new Error(`These links lead to nothing:\n${dead.join('\n')}`);
  },
  themeConfig: {
    logo: '/favicon.svg',
    notFound: { quote: 'This version of Reeve has no such page. Search for it.', linkText: 'To the first page' },
    outline: { level: [2, 3] },
    siteTitle: `Reeve ${version}`,
    // Codes of errors are words of several parts, so a short part has to be right.
    search: { provider: 'local', options: { detailedView: true, miniSearch: { searchOptions: { fuzzy: 0.1 } } } },
    nav: SECTIONS.map(({ text, folder, also = [], groups }) => ({
      text,
      link: existsSync(`${docs}${folder}/index.md`) ? `/${folder}/` : `/${groups[0].pages[0]}`,
      activeMatch: `^/(?:${[folder, ...also].join('|')})/`,
    })),
    sidebar: Object.fromEntries(
      SECTIONS.flatMap((section) =>
        [section.folder, ...(section.also ?? [])].map((folder) => [`/${folder}/`, sidebarOf(section)]),
      ),
    ),
  },
});
