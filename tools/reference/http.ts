import { jsonTypeOf, memberRows } from './json-schema.js';
import type { OpenApi, OpenApiCall } from './openapi.js';
import { anchor, code, made, prose, table, type Page, type Section } from './page.js';

const SOURCE = 'src/service/routes';
const NO_TAG = 'other';
const PROBLEM = 'application/problem+json';

interface Call extends OpenApiCall {
  readonly method: string;
  readonly path: string;
  readonly tag: string;
}

/** A page for each group of calls of the management service, one for the schemas, and one that lists all calls. */
export function httpPages({ info, paths, components }: OpenApi): Section {
  const calls = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]): Call => {
      return { ...call, method: method.toUpperCase(), path, tag: call.tags?.[0] ?? NO_TAG };
    }),
  );
  const tags = [...new Set(calls.map(({ tag }) => tag))];
  const groups = new Map(tags.map((tag) => [tag, calls.filter((call) => call.tag === tag)]));
  return {
    title: 'HTTP API',
    about: 'Every call of the management service: parameters, bodies, responses and failures.',
    start: 'http/index.md',
    pages: [
      listPage(info.description ?? '', groups),
      ...[...groups].map(([tag, members]) => groupPage(tag, members)),
      schemaPage(components.schemas),
    ],
  };
}

function listPage(about: string, groups: ReadonlyMap<string, readonly Call[]>): Page {
  const text = [
    '# HTTP API',
    made(SOURCE),
    prose(about.replace(/^Entity types: [^.]*\. /, '')),
    'A service has calls for each entity type. Here they are shown for a type `Website` of the module `hosting`. `/openapi.json` of your service has ' +
      'them for your types, and `/docs` shows that document as a page.',
    ...[...groups].flatMap(([tag, calls]) => [
      `## ${title(tag)}`,
      table(
        ['call', ''],
        calls.map((call) => [
          `[\`${nameOf(call)}\`](${slug(tag)}.md#${anchor(nameOf(call))})`,
          prose(call.summary ?? ''),
        ]),
      ),
    ]),
    '## Failures',
    'A failure is a [problem document](schemas.md#problem) with a `code`. [Errors](../errors/index.md) has every code with its remedy.',
    table(['status', 'meaning'], failuresOf([...groups.values()].flat())),
    'All schemas are on [one page](schemas.md).',
  ].join('\n\n');
  return { path: 'http/index.md', text };
}

function groupPage(tag: string, calls: readonly Call[]): Page {
  const text = [
    `# HTTP API: ${title(tag).toLowerCase()}`,
    made(SOURCE),
    ...calls.flatMap((call) => [
      `## \`${nameOf(call)}\``,
      `${prose(call.summary ?? '')}.`,
      ...(call.description === undefined ? [] : [prose(call.description)]),
      ...(call.security?.length === 0 || !call.security ? ['This call needs no key or token.'] : []),
      ...parametersOf(call),
      ...bodyOf(call),
      ...responsesOf(call),
    ]),
  ].join('\n\n');
  return { path: `http/${slug(tag)}.md`, text };
}

function parametersOf({ parameters = [] }: Call): readonly string[] {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, description = '', schema = {} }) => [
    code(name),
    place + (required ? ', required' : ''),
    jsonTypeOf(schema),
    prose(description),
  ]);
  return [table(['parameter', 'in', 'type', ''], rows)];
}

function bodyOf({ requestBody }: Call): readonly string[] {
  const [type, { schema = {} } = {}] = Object.entries(requestBody?.content ?? {})[0] ?? [];
  if (type === undefined) return [];
  const said = `The body is ${code(type)}${requestBody?.required ? '' : ', and can be left out'}`;
  return schema.properties
    ? [`${said}:`, table(['member', 'type', ''], memberRows(schema))]
    : [`${said}: ${jsonTypeOf(schema)}.`];
}

function responsesOf({ responses }: Call): readonly string[] {
  const all = Object.entries(responses);
  const failures = all.filter(([, response]) => isProblem(response)).map(([status]) => status);
  const rows = all
    .filter(([, response]) => !isProblem(response))
    .map(([status, { description, content = {} }]) => {
      const [type, { schema } = {}] = Object.entries(content)[0] ?? [];
      return [status, type === undefined ? '' : schema ? jsonTypeOf(schema) : code(type), prose(description)];
    });
  return [
    table(['status', 'body', ''], rows),
    ...(failures.length === 0 ? [] : [`[Failures](index.md#failures): ${failures.join(', ')}.`]),
  ];
}

function isProblem({ content = {} }: OpenApiCall['responses'][string]): boolean {
  return PROBLEM in content;
}

/** Each status of a failure with its meaning. */
function failuresOf(calls: readonly Call[]): readonly (readonly string[])[] {
  const failures = calls.flatMap(({ responses }) =>
    Object.entries(responses).filter(([, response]) => isProblem(response)),
  );
  const meanings = new Map(failures.map(([status, { description }]) => [status, prose(description)]));
  return [...meanings].sort(([one], [other]) => Number(one) - Number(other));
}

function schemaPage(schemas: OpenApi['components']['schemas']): Page {
  const text = [
    '# HTTP API: schemas',
    made(SOURCE),
    ...Object.entries(schemas)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(([name, schema]) => [
        `## ${name}`,
        ...(schema.description === undefined ? [] : [prose(schema.description)]),
        schema.properties ? table(['member', 'type', ''], memberRows(schema, '')) : jsonTypeOf(schema, ''),
      ]),
  ].join('\n\n');
  return { path: 'http/schemas.md', text };
}

function nameOf({ method, path }: Call): string {
  return `${method} ${path}`;
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function title(tag: string): string {
  return tag.charAt(0).toUpperCase() + tag.slice(1);
}
