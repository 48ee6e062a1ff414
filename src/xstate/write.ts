import { small } from './names.js';
import type { ActionSkeleton, Branch, Skeleton, StateSkeleton } from './skeleton.js';

/** Writes the declaration, with a line for each member. `file` is the machine that it came from. */
export function definitionText(skeleton: Skeleton, file: string): string {
  const { name, description, context, states, events, actions, limits, remarks } = skeleton;
  const declaration = [
    `export const ${name} = defineEntity(${literal(name)}, {`,
    ...(description === undefined ? [] : [`  description: ${literal(description)},`]),
    '  key: z.string(),',
    ...members('properties: z.object({', context, schema, '}),'),
    ...members('states: {', states, stateText),
    ...members('events: {', events, short),
    ...members('actions: {', actions, ({ on, in: sources, to }) => short({ on, in: sources, to })),
    ...(Object.keys(limits).length > 0 ? members('limits: {', limits) : []),
    '});',
  ];
  const makers = ['deleted', 'initial', 'stable', 'terminal', 'unstable'].filter((maker) =>
    declaration.some((line) => new RegExp(`[ (]${maker}\\(`).test(line)),
  );
  return [
    `import { ${['defineEntity', ...makers].join(', ')} } from 'reeve/definition';`,
    `import { z } from 'zod';`,
    '',
    '/**',
    ` * ${name}, from the XState machine in ${file}.`,
    ...remarks.map(({ place, problem, remedy }) => ` * - ${oneLine(`${place}: ${problem}. ${remedy}`)}`),
    ' */',
    ...declaration,
    '',
  ].join('\n');
}

/** Writes the actions: each goes where the machine went, and names what is left to do. */
export function actionsText({ name, actions }: Skeleton): string {
  return [
    `import { implementActions } from 'reeve/definition';`,
    `import { ${name} } from './definition.js';`,
    '',
    "/** The actions of the machine. A TODO names what it did; a condition over properties can be a 'when' of the event. */",
    `export const ${constantName(name)} = implementActions(${name}, {`,
    ...Object.entries(actions).flatMap(([action, each]) => actionLines(action, each)),
    '});',
    '',
  ].join('\n');
}

/** The name of the constant with the actions: `lightActions` of `Light`. */
export function constantName(name: string): string {
  return `${small(name)}Actions`;
}

function members<T>(
  head: string,
  of: Readonly<Record<string, T>>,
  text: (member: T) => string = literal,
  foot = '},',
): readonly string[] {
  return [`  ${head}`, ...Object.entries(of).map(([key, each]) => `    ${nameText(key)}: ${text(each)},`), `  ${foot}`];
}

/** The schema of a property, with the first value that the context has. */
function schema(value: unknown): string {
  const first = `.default(${literal(value)})`;
  if (Array.isArray(value)) return `z.array(z.unknown())${first}`;
  if (value === null) return 'z.unknown().optional()';
  return `${typeof value === 'object' ? 'z.record(z.string(), z.unknown())' : `z.${typeof value}()`}${first}`;
}

function stateText({ initial, kind, options }: StateSkeleton): string {
  const own = Object.keys(options).length > 0 ? literal(options) : '';
  if (!initial) return `${kind}(${own})`;
  return kind === 'stable' && own === '' ? 'initial()' : `initial(${kind}(${own}))`;
}

function actionLines(action: string, { branches, service, onError }: ActionSkeleton): readonly string[] {
  const last = branches.at(-1);
  const end = last ? todo(last) : '';
  const notes = [
    ...(service === undefined ? [] : [`TODO: call a resource that does what '${service}' did: await self.call(...).`]),
    ...onError.flatMap((branch) => chosen(branch, 'after an error')),
    ...branches.slice(0, -1).flatMap((branch) => chosen(branch)),
    ...(last?.description === undefined ? [] : [last.description]),
    ...(end === '' ? [] : [`TODO: ${end}.`]),
  ].map((note) => `    // ${oneLine(note)}`);
  const goes = last?.to === undefined ? '' : goTo(last.to);
  const head = `  ${action}: async (${goes === '' ? '' : 'self'}) =>`;
  if (notes.length === 0) return [`${head} ${goes === '' ? '{}' : goes},`];
  return [`${head} {`, ...notes, ...(goes === '' ? [] : [`    return ${goes};`]), '  },'];
}

/** A way that the code has to choose: the line to write is part of the comment. */
function chosen(branch: Branch, when?: string): readonly string[] {
  const line = branch.to === undefined ? 'return;' : `return ${goTo(branch.to)};`;
  return [
    ...(branch.description === undefined ? [] : [branch.description]),
    `TODO: ${todo(branch, when)}:`,
    `  ${line}`,
  ];
}

function todo({ guard, runs }: Branch, when?: string): string {
  const parts = [
    when,
    guard === undefined ? undefined : `if '${guard}' holds`,
    runs.length === 0 ? undefined : `do what ${runs.map((each) => `'${each}'`).join(', ')} did`,
  ];
  return parts.filter((part) => part !== undefined).join(', ');
}

function goTo(state: string): string {
  return `self.goTo(${literal(state)})`;
}

/** Options with a name instead of a list of one name, and without empty lists. */
function short(options: Readonly<Record<string, unknown>>): string {
  const parts = Object.entries(options).map(([key, value]) => [
    key,
    Array.isArray(value) && value.length < 2 ? (value[0] as unknown) : value,
  ]);
  return literal(Object.fromEntries(parts));
}

/** A value of JSON as code. */
function literal(value: unknown): string {
  if (typeof value === 'string') {
    return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
  }
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const parts = Object.entries(value).flatMap(([key, member]) =>
    member === undefined ? [] : [`${nameText(key)}: ${literal(member)}`],
  );
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

function nameText(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : literal(key);
}

/** A text that a comment can hold. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\u2028\u2029]+/g, ' ').replaceAll('*/', '* /');
}
