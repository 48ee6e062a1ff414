import ts from 'typescript';
import { codeOf, docOf, type Declarations, type Exported } from './declarations-of-types.js';
import { anchor, made, prose, table, type Page, type Section } from './page.js';
import { memberTable } from './type-members.js';

const ROOT = 'reeve';
const SECTIONS = ['Functions', 'Classes', 'Constants', 'Types'] as const;
type Kind = (typeof SECTIONS)[number];

/** Says what each entry point is for, in one sentence. */
const ABOUT: Readonly<Record<string, string>> = {
  reeve: 'The most used exports of the others, together.',
  'reeve/cli': 'The command line, to run it within a program.',
  'reeve/client': 'Create entities, raise events, read and follow.',
  'reeve/components': 'Declare and describe components.',
  'reeve/definition': 'Declare entities and resources. Pure: it loads neither Node nor Temporal.',
  'reeve/distributed': 'Declare operations over partitions, and write their code.',
  'reeve/lambda': 'Workers on AWS Lambda.',
  'reeve/nexus': 'Entities as Nexus services.',
  'reeve/plugin': "Entities in one of Temporal's own workers.",
  'reeve/project': 'What a project of `reeve init` exports.',
  'reeve/service': 'The management service within a program.',
  'reeve/simulation': 'Simulate entities with virtual time and faults.',
  'reeve/store': 'The store: open, migrate, read.',
  'reeve/telemetry': 'Metrics and traces.',
  'reeve/testing': 'Test a project on a real Temporal.',
  'reeve/worker': 'Workers and providers of resources.',
  'reeve/workflows': 'What workflow code imports.',
};

/** A page for each entry point of the package. What several export is on the page of one of them. */
export function apiPages({ entries }: Declarations): Section & { readonly problems: readonly string[] } {
  const homes = homesOf(entries);
  const rows = [...entries].map(([entry, all]) => [
    `[\`${entry}\`](${fileOf(entry)})`,
    ABOUT[entry] ?? '',
    String(all.length),
  ]);
  const index = [
    '# API',
    made('the declaration files of src'),
    'Import each name from the entry point that exports it: `import { defineEntity } from "reeve/definition"`.',
    table(['entry point', '', 'exports'], rows),
  ].join('\n\n');
  return {
    title: 'API',
    about: 'Every export of each entry point: signature, members and docstring.',
    start: 'api/index.md',
    pages: [{ path: 'api/index.md', text: index }, ...[...entries].map(([entry, all]) => entryPage(entry, all, homes))],
    problems: [
      ...[...entries.keys()]
        .filter((entry) => ABOUT[entry] === undefined)
        .map((entry) => `tools/reference/api.ts: ${entry} has no text: add one.`),
      ...[...homes.values()].flatMap(({ entry, exports }) => undocumented(entry, exports)),
    ],
  };
}

interface Home {
  readonly entry: string;
  readonly exports: Exported;
}

/** The entry point on whose page each declaration is: that of all is asked last. */
function homesOf(entries: ReadonlyMap<string, readonly Exported[]>): ReadonlyMap<ts.Node, Home> {
  const homes = new Map<ts.Node, Home>();
  const order = [...entries].sort(([one], [other]) => Number(one === ROOT) - Number(other === ROOT));
  for (const [entry, all] of order) {
    for (const exports of all) {
      const [node] = exports.nodes;
      if (node && !homes.has(node)) homes.set(node, { entry, exports });
    }
  }
  return homes;
}

function entryPage(entry: string, all: readonly Exported[], homes: ReadonlyMap<ts.Node, Home>): Page {
  const homeOf = ({ nodes: [node] }: Exported) => (node && homes.get(node)?.entry) ?? entry;
  const own = all.filter((each) => homeOf(each) === entry);
  const others = all.filter((each) => homeOf(each) !== entry);
  const text = [
    `# ${entry}`,
    made('the declaration files of src'),
    ABOUT[entry] ?? '',
    ...SECTIONS.flatMap((section) => {
      const members = own.filter((each) => kindOf(each) === section);
      return members.length === 0 ? [] : [`## ${section}`, ...members.flatMap(exportParts)];
    }),
    ...(others.length === 0
      ? []
      : [
          '## Also exported',
          table(
            ['name', 'see'],
            others.map((each) => [
              `\`${each.name}\``,
              `[\`${homeOf(each)}\`](${fileOf(homeOf(each))}#${anchor(each.name)})`,
            ]),
          ),
        ]),
  ].join('\n\n');
  return { path: `api/${fileOf(entry)}`, text };
}

function kindOf({ nodes }: Exported): Kind {
  const [node] = nodes;
  if (!node || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return 'Types';
  if (ts.isClassDeclaration(node)) return 'Classes';
  return ts.isFunctionDeclaration(node) ? 'Functions' : 'Constants';
}

function exportParts({ name, nodes }: Exported): readonly string[] {
  return [`### ${name}`, ...nodes.flatMap(nodeParts)];
}

function nodeParts(node: ts.Declaration): readonly string[] {
  const { paragraphs, parameters, returns, throws } = documented(node);
  const head = headOf(node);
  const told = parameters.filter(([, text]) => text !== '');
  return [
    ...paragraphs.map(prose),
    ...(head === undefined ? [] : [`\`\`\`ts\n${head}\n\`\`\``]),
    ...(told.length === 0
      ? []
      : [
          table(
            ['parameter', ''],
            told.map(([name, text]) => [`\`${name}\``, prose(text)]),
          ),
        ]),
    ...(returns ? [`Returns ${prose(returns)}.`] : []),
    ...throws.map((each) => `Throws ${prose(each)}.`),
    ...(ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node) ? memberTable([...node.members]) : []),
  ];
}

/** The code of an export; of a class or an interface only what stands before its members, which are in a table. */
function headOf(node: ts.Declaration): string | undefined {
  if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
    const hasMore = node.typeParameters || node.heritageClauses;
    return (
      hasMore &&
      `${codeOf(node)
        .split(/\{\s*$/m, 1)[0]!
        .trim()} {}`
    );
  }
  if (!ts.isVariableDeclaration(node)) return codeOf(node);
  const text = `const ${codeOf(node)};`;
  return text.length > LONGEST ? `const ${node.name.getText()};` : text;
}

/** A type that the compiler has found can have pages. */
const LONGEST = 800;

/** The docstring; of the function that describes a component, that of its kind, which stands beside it. */
function documented(node: ts.Declaration): ReturnType<typeof docOf> {
  const own = docOf(node);
  if (own.paragraphs.length > 0 || !ts.isVariableDeclaration(node)) return own;
  const kind = node.name
    .getText()
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toUpperCase();
  for (const statement of node.getSourceFile().statements) {
    if (!ts.isVariableStatement(statement)) continue;
    const found = statement.declarationList.declarations.find((each) => each.name.getText() === kind && each !== node);
    if (found) return docOf(found);
  }
  return own;
}

function undocumented(entry: string, { name, nodes }: Exported): readonly string[] {
  if (nodes.some((node) => documented(node).paragraphs.length > 0)) return [];
  const file = nodes[0]
    ?.getSourceFile()
    .fileName.replace(/^.*\/dist\//, '')
    .replace(/\.d\.ts$/, '.ts');
  return [`${file}: '${name}' of ${entry} has no docstring: write one.`];
}

/** `reeve/client` is on `client.md`. */
function fileOf(entry: string): string {
  return `${entry === ROOT ? ROOT : entry.slice(ROOT.length + 1)}.md`;
}
