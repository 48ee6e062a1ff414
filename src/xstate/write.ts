import { Code, comment, expanded, flat, folded, quoted, WIDTH } from './code.js';
import type { Branch } from './flat.js';
import { small } from './names.js';
import type { ActionSkeleton, Skeleton, StateSkeleton } from './skeleton.js';

/** Writes the declaration. `file` is the machine that it came from. */
export function definitionText(skeleton: Skeleton, file: string): string {
  const { name, description, context, states, events, actions, limits, remarks } = skeleton;
  const kinds = Object.values(states).flatMap(({ initial, kind }) => [kind, ...(initial ? ['initial'] : [])]);
  const imports = ['defineEntity', ...[...new Set(kinds)].toSorted()];
  const declared = {
    ...(description !== undefined && { description }),
    key: new Code('z.string()'),
    properties: new Code(
      'z.object',
      Object.fromEntries(Object.entries(context).map(([key, value]) => [key, schema(value)])),
    ),
    states: Object.fromEntries(Object.entries(states).map(([state, each]) => [state, stateCode(each)])),
    events: Object.fromEntries(
      Object.entries(events).map(([event, { in: sources, ...rest }]) => [
        event,
        { in: oneOrMany(sources as string[]), ...rest },
      ]),
    ),
    actions: Object.fromEntries(Object.entries(actions).map(([action, each]) => [action, actionShape(each)])),
    ...(Object.keys(limits).length > 0 && { limits }),
  };
  return [
    `import { ${imports.join(', ')} } from 'reeve/definition';`,
    `import { z } from 'zod';`,
    '',
    ...comment([
      `${name}, from the XState machine in ${file}. Events have no parameters yet: declare them with 'params'.`,
      ...remarks.map(({ place, problem, remedy }) => `- ${place}: ${problem}. ${remedy}`),
    ]),
    `export const ${name} = defineEntity(${quoted(name)}, ${expanded(declared, '', 2)});`,
    '',
  ].join('\n');
}

/** Writes the actions: each goes where the machine went, and names what is left to do. */
export function actionsText({ name, actions }: Skeleton): string {
  const lines = Object.entries(actions).flatMap(([action, each]) => actionLines(action, each));
  return [
    `import { implementActions } from 'reeve/definition';`,
    `import { ${name} } from './definition.js';`,
    '',
    ...comment([`The actions of ${name}. Each TODO names what the machine did there.`]),
    `export const ${constantName(name)} = implementActions(${name}, {${lines.length === 0 ? '});' : ''}`,
    ...lines,
    ...(lines.length === 0 ? [] : ['});']),
    '',
  ].join('\n');
}

/** The name of the constant with the actions: `light` of `Light`. */
export function constantName(name: string): string {
  const constant = small(name);
  return RESERVED.test(constant) ? `${constant}Actions` : constant;
}
const RESERVED =
  /^(break|case|catch|class|const|continue|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|implements|import|in|instanceof|interface|let|new|null|package|private|protected|public|return|static|super|switch|this|throw|true|try|typeof|var|void|while|with|yield|await|z|implementActions)$/;

/** The schema of a property, with the first value that the context has. */
function schema(value: unknown): Code {
  const type = Array.isArray(value)
    ? 'z.array(z.unknown())'
    : typeof value === 'object' && value !== null
      ? 'z.record(z.string(), z.unknown())'
      : typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? `z.${typeof value}()`
        : undefined;
  return new Code(type === undefined ? 'z.unknown().optional()' : `${type}.default(${flat(value)})`);
}

function stateCode({ initial, kind, options }: StateSkeleton): Code {
  const own = Object.keys(options).length > 0 ? new Code(kind, options) : new Code(`${kind}()`);
  if (!initial) return own;
  return own.argument === undefined && kind === 'stable' ? new Code('initial()') : new Code('initial', own);
}

function actionShape({ on, in: sources, to }: ActionSkeleton): object {
  return { ...(on !== undefined && { on }), in: oneOrMany(sources), ...(to.length > 0 && { to: oneOrMany(to) }) };
}

function oneOrMany(names: readonly string[]): string | readonly string[] {
  return names.length === 1 ? names[0]! : names;
}

function actionLines(action: string, { branches, service, onError }: ActionSkeleton): readonly string[] {
  const notes = [
    ...(service === undefined ? [] : [`TODO: call a resource that does what '${service}' did: await self.call(...).`]),
    ...onError.flatMap((branch) => chosen(branch, 'after an error')),
    ...branches.slice(0, -1).flatMap((branch) => chosen(branch)),
  ];
  const last = branches.at(-1);
  if (last) notes.push(...done(last));
  const to = last?.to === undefined ? undefined : `self.goTo(${quoted(last.to)})`;
  if (notes.length === 0) {
    const [head, value] = [`  ${action}: async (${to === undefined ? '' : 'self'}) =>`, `${to ?? '{}'},`];
    return head.length + 1 + value.length <= WIDTH ? [`${head} ${value}`] : [head, `    ${value}`];
  }
  const body = [
    ...notes.flatMap((note) => folded(note, '    // ')),
    ...(to === undefined ? [] : [`    return ${to};`]),
  ];
  return [`  ${action}: async (${to === undefined ? '' : 'self'}) => {`, ...body, '  },'];
}

/** The way that is taken if no other one is. */
function done({ guard, runs, description }: Branch): readonly string[] {
  return [
    ...(description === undefined ? [] : [description]),
    ...(guard === undefined
      ? []
      : [`TODO: only if '${guard}' holds. A condition over properties is a 'when' of the event.`]),
    ...(runs.length > 0 ? [`TODO: ${listed(runs)}.`] : []),
  ];
}

/** A way that the code has to choose: the line to write is part of the comment. */
function chosen({ to, guard, runs, description }: Branch, when = ''): readonly string[] {
  const condition = [when, guard === undefined ? '' : `if '${guard}' holds`].filter((each) => each !== '').join(' ');
  return [
    ...(description === undefined ? [] : [description]),
    `TODO: ${condition}${runs.length > 0 ? `, ${listed(runs)}` : ''}:`,
    `  ${to === undefined ? 'return;' : `return self.goTo(${quoted(to)});`}`,
  ];
}

function listed(runs: readonly string[]): string {
  return `do what ${runs.map((each) => `'${each}'`).join(', ')} did`;
}
