/*
 * `node infra/guarantees.mjs --check`: checks that every reference in the repository leads somewhere. Each id of a guarantee that
 * is cited needs a heading in docs/background/guarantees.md and tests that prove it, and each path that a page names has to exist. `--write`
 * fills in the lines `Proved by:`, from the titles of tests.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { anchorsOf } from './anchors.mjs';

const PAGE = 'docs/background/guarantees.md';
/** This test makes ids up, so it is not looked at. */
const OWN_TEST = 'test/laws/guarantees.test.ts';
const ID = /\b(?:S\d\.\d+[a-z]?|Q\d|A[1-7]|W[1-5]|I[1-8])\b/g;
const HEADING = /^### (\S+) \S.*$/;
/** A guarantee whose paragraph has this sentence needs no test. */
const UNPROVED = /No test proves it: /;
/** A law in the header of its file: ` * admit.2. An event that comes while ...`. */
const LAW = /^ \* ([a-z][\w-]*\.\d+)\. /gm;
const TEST = /^test\/(?:.+\.test(?:-d)?|conformance\/.+)\.ts$/;
const PATH = /(?<![\w./:-])(?:src|workflows|activities|workers|tools|test|infra)\/[\w.-]+(?:\/[\w.-]+)*/g;
/** The name of a file above its code: it may be one of the reader's project. */
const SHOWN = /^```ts\n\/\/ \S+$/gm;
/** A link within the repository: a path, an anchor or both. */
const LINK = /\]\((?=[^)])([\w./-]*)(?:#([\w-]*))?\)/g;

/**
 * Finds what is wrong, and makes the page as it should be.
 * @param {Record<string, string>} files the text of each file, by its path from the root of the repository
 * @returns {{ problems: string[], page: string }}
 */
export function examine(files) {
  const sections = sectionsOf(files[PAGE] ?? '');
  const cited = citations(files);
  const proofs = proofsOf(files);
  const problems = [...cited]
    .filter(([id]) => !sections.has(id))
    .map(
      ([id, places]) => `${id} is cited but has no heading in ${PAGE}: add '### ${id} Name'. Cited at ${some(places)}`,
    );
  for (const [id, { text, count }] of sections) {
    const tests = proofs.get(id) ?? [];
    if (count > 1) problems.push(`${id} has ${count} headings in ${PAGE}: keep only one.`);
    if (UNPROVED.test(text)) {
      if (tests.length > 0) problems.push(`${id} says 'No test proves it: ', but ${some(tests)} does: remove that.`);
    } else if (tests.length === 0) {
      problems.push(`${id} has no test: cite it in the title of one, or say why in ${PAGE}: 'No test proves it: ...'.`);
    } else if (!text.includes('\nProved by:')) {
      problems.push(`${id} has no line 'Proved by:' in ${PAGE}: add one, and run 'node infra/guarantees.mjs --write'.`);
    }
  }
  const page = withProofs(files[PAGE] ?? '', proofs);
  if (page !== files[PAGE])
    problems.push(`${PAGE} names other tests than those that cite its ids: run 'node infra/guarantees.mjs --write'.`);
  return { problems: [...problems, ...lawProblems(files), ...deadPaths(files)], page };
}

/** The text under each heading that has an id, and the number of such headings. */
function sectionsOf(page) {
  const sections = new Map();
  let section;
  for (const line of page.split('\n')) {
    const id = HEADING.exec(line)?.[1];
    if (id) {
      section = { text: '\n', count: (sections.get(id)?.count ?? 0) + 1 };
      sections.set(id, section);
    } else if (line.startsWith('#')) section = undefined;
    else if (section) section.text += `${line}\n`;
  }
  return sections;
}

/** The places at which each id is cited. */
function citations(files) {
  const cited = new Map();
  for (const [file, text] of Object.entries(files)) {
    text.split('\n').forEach((line, index) => {
      if (file === PAGE && HEADING.test(line)) return;
      for (const id of idsOf(line)) add(cited, id, `${file}:${index + 1}`);
    });
  }
  return cited;
}

/** The tests that cite each id in a title. Type tests have no titles, and cite it in their first comment. */
function proofsOf(files) {
  const proofs = new Map();
  for (const file of Object.keys(files)
    .filter((name) => TEST.test(name))
    .sort()) {
    const titles = file.endsWith('-d.ts') ? files[file].split('*/', 1) : titlesOf(files[file]);
    for (const id of new Set(titles.flatMap(idsOf))) add(proofs, id, file);
  }
  return proofs;
}

/** The texts in quotes on one line. No other text of a test has ids in it. */
function titlesOf(text) {
  const code = text.split('\n').filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line));
  return code.flatMap((line) => line.match(/(['"`])(?:\\.|(?!\1).)*\1/g) ?? []);
}

const idsOf = (text) => text.match(ID) ?? [];

/** Laws that stand in the wrong file or twice, and citations of laws that stand nowhere. */
function lawProblems(files) {
  const problems = [];
  const laws = new Map();
  for (const [file, text] of Object.entries(files)) {
    for (const [, law] of text.matchAll(LAW)) {
      const name = law.slice(0, law.lastIndexOf('.'));
      if (!file.endsWith(`/${name}.ts`)) problems.push(`${file} has the law ${law}: name the law after its file.`);
      else if (laws.has(law)) problems.push(`There are two laws ${law}: in ${laws.get(law)} and ${file}. Keep one.`);
      laws.set(law, file);
    }
  }
  const names = [...new Set([...laws.keys()].map((law) => law.slice(0, law.lastIndexOf('.'))))];
  if (names.length === 0) return problems;
  const cited = new RegExp(`(?<![\\w/.-])(?:${names.join('|')})\\.\\d+(?![\\w.]\\w|\\w)`, 'g');
  for (const [file, text] of Object.entries(files)) {
    for (const [law] of text.matchAll(cited)) {
      if (!laws.has(law)) problems.push(`${file} cites the law ${law}, which is in no file.`);
    }
  }
  return [...new Set(problems)];
}

function withProofs(page, proofs) {
  let id;
  const lines = page.split('\n').map((line) => {
    if (line.startsWith('#')) id = HEADING.exec(line)?.[1];
    return id && line.startsWith('Proved by:') ? `Proved by: ${namesOf(proofs.get(id) ?? [])}` : line;
  });
  return lines.join('\n');
}

/**
 * The tests by folder, conformance first: `**kernel** abort, ...`. They are no links, since the page is in the package, and tests
 * are not.
 */
function namesOf(tests) {
  const folders = new Map();
  for (const test of tests) {
    const [, folder, name] = /^test\/(.+)\/([^/]+?)(?:\.test(?:-d)?)?\.ts$/.exec(test);
    add(folders, folder, name);
  }
  const first = ([one], [other]) => Number(other === 'conformance') - Number(one === 'conformance');
  return [...folders]
    .sort(first)
    .map(([folder, names]) => `**${folder}** ${names.join(', ')}`)
    .join('; ');
}

/** Paths and links of pages that lead to neither a file nor a folder, and anchors of no heading. */
function deadPaths(files) {
  const known = Object.keys(files);
  const read = new Map();
  const anchors = (path) => read.get(path) ?? read.set(path, anchorsOf(files[path])).get(path);
  const exists = (path) => known.some((file) => file === path || file.startsWith(`${path}/`));
  return known
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => {
      const paths = [...files[file].replace(SHOWN, '').matchAll(PATH)].map(([path]) => path.replace(/\.+$/, ''));
      const links = [...files[file].matchAll(LINK)].map(([, path, anchor]) => ({
        path: path === '' ? file : posix.join(posix.dirname(file), path),
        anchor,
      }));
      const dead = new Set([...paths, ...links.map(({ path }) => path)].filter((path) => !exists(path)));
      const lost = links.filter(({ path, anchor }) => anchor && files[path] && !anchors(path).has(anchor));
      return [
        ...[...dead].map((path) => `${file} names ${path}, which does not exist.`),
        ...lost.map(({ path, anchor }) => `${file} links to ${path}#${anchor}, which has no such heading.`),
      ];
    });
}

function add(map, key, value) {
  map.set(key, [...(map.get(key) ?? []), value]);
}

function some(places) {
  return places.length > 5 ? `${places.slice(0, 5).join(', ')} and ${places.length - 5} more` : places.join(', ');
}

/** The files that may cite an id or that a page may name. */
function readRepository(root) {
  const files = {};
  for (const folder of ['src', 'workflows', 'activities', 'workers', 'tools', 'examples', 'test', 'docs', 'infra']) {
    for (const entry of readdirSync(`${root}${folder}`, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue;
      const file = relative(root, `${entry.parentPath}/${entry.name}`).replaceAll(sep, '/');
      // The files that `reeve init` copies name the files of the new project.
      if (file === OWN_TEST || /^infra\/((lambda|kubernetes)\/)?project\//.test(file)) continue;
      files[file] = /\.(?:ts|md)$/.test(file) ? readFileSync(`${root}${file}`, 'utf8') : '';
    }
  }
  for (const file of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'])
    files[file] = readFileSync(`${root}${file}`, 'utf8');
  return files;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = readRepository(root);
  if (process.argv[2] === '--write') {
    files[PAGE] = examine(files).page;
    writeFileSync(`${root}${PAGE}`, files[PAGE]);
  } else if (process.argv[2] !== '--check') {
    console.error('Say what to do: node infra/guarantees.mjs --check, or --write.');
    process.exit(2);
  }
  const { problems } = examine(files);
  for (const problem of problems) console.error(problem);
  process.exit(problems.length === 0 ? 0 : 1);
}
