import { describeEntity, type EntityDescription } from '../definition/describe.js';
import { isRecord } from './api/json-value.js';
import { remoteSettings } from './api/remote-settings.js';
import { withApi } from './api/with-api.js';
import { loadDefinitions } from './definitions.js';
import { foldParagraph } from './fold.js';
import { isDestructive } from './explanation/reach/destructive.js';
import { reachHint } from './explanation/reach/reach-hint.js';
import { helpWidth } from './help-width.js';

/** The subject of help: the creation of an entity of a type, or an event on an entity. */
type Asked = { readonly creates: string } | { readonly raisesOn: string; readonly event?: string | undefined };

/** Tells what an entity type takes, for the help of a command; nothing where the type, or the event, is not known. */
export async function typeHelp(asked: Asked): Promise<string> {
  const type = ('creates' in asked ? asked.creates : asked.raisesOn).split('/')[0]!;
  // Help is shown in any case, also where no project is.
  const described = await describedAs(type).catch(() => undefined);
  if (!described) return '';
  const wanted = (name: string) => 'creates' in asked || asked.event === undefined || asked.event === name;
  const events = eventsOf(described, 'creates' in asked).filter(({ name }) => wanted(name));
  const [ending] = 'creates' in asked ? [] : events.filter(({ name }) => isDestructive(described, name));
  const width = helpWidth();
  return [
    ...sections(described, events, 'creates' in asked, width),
    ...(ending && 'raisesOn' in asked ? ['', ...foldParagraph(reachHint(asked.raisesOn, ending.name), width)] : []),
  ].join('\n');
}

async function describedAs(type: string): Promise<EntityDescription | undefined> {
  if (remoteSettings() === undefined) {
    const found = (await loadDefinitions()).find(({ name }) => name === type);
    return found && describeEntity(found);
  }
  return withApi('nothing', async (api) => {
    const { items } = (await api.ask('GET', '/api/types')).body as { readonly items: readonly EntityDescription[] };
    return items.find(({ name }) => name === type);
  });
}

type EventDescription = EntityDescription['events'][number];

/** The events that callers raise: those that create an entity, or all others. */
function eventsOf({ states, events }: EntityDescription, creating: boolean): readonly EventDescription[] {
  const initial = states.filter((state) => state.initial).map(({ name }) => name);
  return events.filter(
    (event) => !event.internal && !event.answer && event.in.some((state) => initial.includes(state)) === creating,
  );
}

/** The paragraphs of the help, as lines. */
export function sections(
  described: EntityDescription,
  events: readonly EventDescription[],
  creating: boolean,
  width: number,
): readonly string[] {
  const { name: type, construct } = described;
  return [
    ...(creating && construct !== undefined ? [`${type}, --construct:`, ...memberLines(construct, width), ''] : []),
    ...events.flatMap(({ name, params, description }) => [
      `${type}, ${creating && name !== 'create' ? `--event ${name}` : name}${params === undefined ? ': no parameters' : ', --params:'}`,
      ...(description === undefined ? [] : foldParagraph(description, width - 2).map((line) => `  ${line}`)),
      ...(params === undefined ? [] : memberLines(params, width)),
      '',
    ]),
  ].slice(0, -1);
}

/** A line for each member of an object, as JSON Schema describes it. */
function memberLines(schema: unknown, width: number): readonly string[] {
  const ways = isRecord(schema) && Array.isArray(schema['anyOf']) ? (schema['anyOf'] as readonly unknown[]) : [schema];
  return ways.flatMap((way, index) => [...(index === 0 ? [] : ['  or']), ...linesOfObject(way, width)]);
}

function linesOfObject(schema: unknown, width: number): readonly string[] {
  const { properties, required } = isRecord(schema) ? schema : {};
  if (!isRecord(properties)) return [`  ${words(schema)}`];
  const needed = Array.isArray(required) ? (required as readonly unknown[]) : [];
  const longest = Math.max(...Object.keys(properties).map((name) => name.length));
  return Object.entries(properties).flatMap(([name, member]) => {
    const told = isRecord(member) ? member : {};
    const { default: byDefault, description } = told;
    const more = [
      words(member),
      byDefault !== undefined
        ? `default ${JSON.stringify(byDefault)}`
        : needed.includes(name)
          ? 'required'
          : 'optional',
    ].join(', ');
    const text = typeof description === 'string' ? `${more}: ${description}` : more;
    const [first = '', ...rest] = foldParagraph(text, Math.max(20, width - longest - 4));
    return [`  ${name.padEnd(longest)}  ${first}`, ...rest.map((line) => `${' '.repeat(longest + 4)}${line}`)];
  });
}

/** Tells in a few words what a JSON Schema accepts. */
function words(schema: unknown): string {
  if (!isRecord(schema)) return 'anything';
  const { type, enum: values, const: only, items, format, anyOf, minimum, maximum, properties } = schema;
  if (only !== undefined) return JSON.stringify(only);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map(words).join(' | ');
  if (type === 'array') return `list of ${words(items)}`;
  if (isRecord(properties)) {
    return `{ ${Object.entries(properties)
      .map(([name, member]) => `${name}: ${words(member)}`)
      .join(', ')} }`;
  }
  if (typeof format === 'string' && type === 'string') return format;
  const least = typeof minimum === 'number' && Number.isSafeInteger(minimum - 1) ? ` from ${minimum}` : '';
  const most = typeof maximum === 'number' && Number.isSafeInteger(maximum + 1) ? ` to ${maximum}` : '';
  return `${typeof type === 'string' ? type : 'anything'}${least}${most}`;
}
