/*
 * The page of what a declaration can have, from the types of declarations.
 */
import ts from 'typescript';
import { codeOf, docOf, type Declarations } from './declarations-of-types.js';
import { made, prose, type Section } from './page.js';
import { memberTable, textOf } from './type-members.js';

interface Part {
  readonly title: string;
  /** One sentence, or an example of the place in code. */
  readonly about: string;
  readonly file: string;
  /** The names of types, or of a function whose last parameter has the options. */
  readonly names: readonly string[];
  /** The type that documents members which these types leave without a text. */
  readonly docs?: string;
}

const PARTS: readonly Part[] = [
  {
    title: 'Entities',
    about: 'The second parameter of `defineEntity(name, { ... })`.',
    ...{ file: 'definition/define-entity', names: ['defineEntity'], docs: 'EntityDefinition' },
  },
  {
    title: 'Stable states',
    about: 'The parameter of `stable({ ... })`. `terminal()` and `deleted()` take those of the second table.',
    ...{ file: 'definition/state', names: ['StableOptions', 'TerminalOptions', 'DeletedOptions'], docs: 'State' },
  },
  {
    title: 'Unstable states',
    about: 'The parameter of `unstable({ ... })`, besides those that every state can have.',
    ...{ file: 'definition/state', names: ['UnstableOptions'], docs: 'State' },
  },
  { title: 'Retries', about: 'The option `retry` of an unstable state.', file: 'definition/state', names: ['Retry'] },
  { title: 'Events', about: 'Each member of `events`.', file: 'definition/entity', names: ['EventShape'] },
  { title: 'Guards', about: 'Each item of `when` of an event.', file: 'definition/guard', names: ['Guard'] },
  {
    title: 'Needed entities',
    about: 'The option `needs` of an event.',
    file: 'definition/entity',
    names: ['NeededEntity'],
  },
  { title: 'Actions', about: 'Each member of `actions`.', file: 'definition/entity', names: ['ActionShape'] },
  {
    title: 'Subscriptions',
    about: 'Each member of `subscriptions`.',
    file: 'definition/entity',
    names: ['SubscriptionShape'],
  },
  {
    title: 'Patterns of successors',
    about: 'The parameter of `all`, `any`, `none` and `atLeast`.',
    ...{ file: 'definition/successor-pattern', names: ['SuccessorPattern'] },
  },
  { title: 'Timers', about: 'Each member of `timers`.', file: 'definition/timer', names: ['PeriodicTimer'] },
  {
    title: 'Deadlines and time-outs',
    about: '`deadline` of a state, and `timeout` of a subscription.',
    file: 'definition/timer',
    names: ['OneShotTimer'],
  },
  {
    title: 'Limits over several states',
    about: 'Each member of `limits`.',
    file: 'definition/timer',
    names: ['StateLimit'],
  },
  {
    title: 'Links',
    about: 'The second parameter of `link` and `links`.',
    file: 'definition/link',
    names: ['LinkOptions'],
  },
  {
    title: 'Roles',
    about: 'The option `roles` of an entity.',
    file: 'definition/entity-roles',
    names: ['EntityRoles'],
  },
  {
    title: 'Migrations',
    about: 'Each member of `migrations`, and `renamed`.',
    file: 'definition/migration',
    names: ['Migration', 'Renames'],
  },
  {
    title: 'Calls of resources',
    about: 'Each member of `defineResource(name, { ... })`.',
    file: 'definition/resource',
    names: ['CallShape'],
  },
  {
    title: 'Components',
    about: 'The second parameter of `component(name, { ... })`.',
    file: 'components/own/component',
    names: ['component', 'Handlers'],
  },
  {
    title: 'Operations over partitions',
    about: 'The second parameter of `defineDistributedOperation(type, { ... })`.',
    ...{ file: 'distributed/declaration/distributed-operation', names: ['OperationShape'] },
  },
];

/** The page of the options of declarations. */
export function optionPages({ find }: Declarations): Section & { readonly problems: readonly string[] } {
  const problems: string[] = [];
  const text = [
    '# Options of declarations',
    made('the types of src/definition, src/components and src/distributed'),
    'Mistakes in a declaration do not compile, or are reported together when it is loaded, each with its place and a remedy.',
    ...PARTS.flatMap(({ title, about, file, names, docs }) => [
      `## ${title}`,
      about,
      ...names.flatMap((name) => {
        const node = find(file, name);
        const members = node ? membersOf(node) : [];
        const texts = docs === undefined ? undefined : textsOf(find(file, docs) ?? find('definition/entity', docs));
        problems.push(...undocumented(file, name, members, texts));
        return [
          ...(names.length > 1 ? docOf(node!).paragraphs.slice(0, 1).map(prose) : []),
          ...memberTable(members, { texts, typeOf: simpleType }),
        ];
      }),
    ]),
  ].join('\n\n');
  return {
    title: 'Options of declarations',
    about: 'Every option of entities, states, events, actions, resources, components and operations over partitions.',
    start: 'declarations.md',
    pages: [{ path: 'declarations.md', text }],
    problems,
  };
}

/** The members of a type; of a function those of its last parameter. */
function membersOf(node: ts.Node | undefined): readonly ts.Node[] {
  if (!node) return [];
  if (ts.isInterfaceDeclaration(node)) return node.members;
  if (ts.isTypeLiteralNode(node)) return node.members;
  if (ts.isTypeAliasDeclaration(node)) return membersOf(node.type);
  if (ts.isFunctionDeclaration(node)) return membersOf(node.parameters.at(-1)?.type);
  if (ts.isParenthesizedTypeNode(node)) return membersOf(node.type);
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap(membersOf);
  // One member stands in each of several forms; where it cannot be given it is `never`.
  if (ts.isUnionTypeNode(node)) return node.types.flatMap(membersOf).filter((each) => !/: never;?$/.test(codeOf(each)));
  return [];
}

function textsOf(node: ts.Node | undefined): ReadonlyMap<string, string> {
  return new Map(membersOf(node).map((member) => [nameOf(member), textOf(member)]));
}

function undocumented(
  file: string,
  of: string,
  members: readonly ts.Node[],
  texts?: ReadonlyMap<string, string>,
): readonly string[] {
  if (members.length === 0) return [`tools/reference/options.ts: src/${file}.ts has no members of '${of}'.`];
  return members
    .filter((member) => textOf(member, texts?.get(nameOf(member))) === '')
    .map((member) => `src/${file}.ts: '${nameOf(member)}' of '${of}' has no docstring: write one.`);
}

function nameOf(member: ts.Node): string {
  return ts.isPropertySignature(member) || ts.isMethodSignature(member) ? member.name.getText() : member.getText();
}

/** A type without the names that the compiler takes from the declaration around it. */
function simpleType(type: ts.TypeNode): string {
  let text = codeOf(type);
  for (let before = ''; before !== text;) {
    before = text;
    text = text.replaceAll(/NoInfer<([^<>]*)>/g, '$1').replaceAll(/<[^<>]*\bkeyof\b[^<>]*>/g, '');
  }
  return text
    .replace(/^Fitting<\w+, (\w+).*>$/s, 'Record<string, $1>')
    .replace(/^States & .*$/s, 'Record<string, State>')
    .replace(/^Construct & .*$/s, 'z.ZodObject')
    .replace(/^\{ readonly \[number: number\]: (\w+);? \} & .*$/s, 'Record<number, $1>');
}
