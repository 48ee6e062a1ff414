/*
 * Tells whether everything that one JSON Schema lets through is accepted by another one.
 *
 * acceptance.1. It is never said of values that may be refused that they are accepted. Where the two cannot be compared (patterns,
 *     code, keywords that are not known here), the answer is a refusal that says so.
 * acceptance.2. Each refusal names its place in the value, and the reason.
 */
import { cut } from '../thrown.js';
import { resolve, rooted, typeOfValue, typesOf, type JsonSchema, type Rooted } from './json-schema.js';
import { joined } from './model-schema.js';
import { CODE, UNREADABLE } from './schema-code.js';

/** Why some values of the producer are refused. */
export interface SchemaRefusal {
  /** `size`, `rules.0.from`; empty for the value as a whole. */
  readonly path: string;
  readonly reason: string;
}

interface Comparing {
  /** Tells whether the consumer overlooks members that it does not know, as a reader does. */
  readonly overlooks: boolean;
  /** The pairs that are compared further up: what refers to itself is compared once. */
  readonly pairs: readonly (readonly [JsonSchema, JsonSchema])[];
}

/**
 * Why the consumer may refuse what the producer lets through; nothing where it accepts everything.
 * @param overlooks whether the consumer is a reader, who overlooks members that it does not know
 */
export function refusals(consumer: unknown, producer: unknown, overlooks = false): readonly SchemaRefusal[] {
  const found = compare(rooted(consumer), rooted(producer), '', { overlooks, pairs: [] });
  return found.filter(
    ({ path, reason }, place) => found.findIndex((each) => each.path === path && each.reason === reason) === place,
  );
}

/** Tells whether two schemas take the same, as far as they can be read: the text of their code is the same too. */
export function isSameSchema(one: unknown, other: unknown): boolean {
  const [text, another] = [JSON.stringify(one) ?? '', JSON.stringify(other) ?? ''];
  return text === another && !text.includes(UNREADABLE);
}

function compare(one: Rooted, other: Rooted, path: string, comparing: Comparing): readonly SchemaRefusal[] {
  const consumer = resolve(one);
  const producer = resolve(other);
  const [wants, has] = [consumer.schema, producer.schema];
  if (isAnything(wants) || (isSameSchema(wants, has) && !refers(wants))) return [];
  if (comparing.pairs.some(([a, b]) => a === wants && b === has)) return [];
  const inner = { ...comparing, pairs: [...comparing.pairs, [wants, has] as const] };
  const part = (schema: JsonSchema): Rooted => ({ schema, root: producer.root });
  const wanted = (schema: JsonSchema): Rooted => ({ schema, root: consumer.root });

  // The value that comes is one of several: each of them has to be accepted.
  const branches = has.anyOf ?? has.oneOf;
  if (branches) return branches.flatMap((branch) => compare(consumer, part(within(rest(has), branch)), path, inner));
  const values = has.enum ?? ('const' in has ? [has.const] : undefined);
  if (values) return values.flatMap((value) => refusalOfValue(consumer, value, has, path, inner));
  const types = typesOf(has);
  if (types && types.length > 1) {
    return types.flatMap((type) => compare(consumer, part({ ...has, type }), path, inner));
  }
  if (has.allOf && has.type === undefined) {
    const found = has.allOf.map((each) => compare(consumer, part(within({ [CODE]: has[CODE] }, each)), path, inner));
    return fewest(found);
  }

  if (wants.allOf) {
    const { allOf, ...others } = wants;
    const parts = [others, ...allOf.map((each) => within({ [CODE]: wants[CODE] }, each))];
    return parts.flatMap((each) => compare(wanted(each), producer, path, inner));
  }
  const choices = wants.anyOf ?? wants.oneOf;
  if (choices) {
    const found = choices.map((choice) => compare(wanted(within(rest(wants), choice)), producer, path, inner));
    return fewest(found);
  }
  const beyond = refusalsBeyond(wants, has, path);
  if (wants.enum ?? 'const' in wants) {
    if (has.type === 'boolean' && (wants.enum?.length ?? 0) > 1) return beyond;
    return [{ path, reason: `is one of ${JSON.stringify(wants.enum ?? [wants.const])} only` }];
  }
  if (wants.not) return [{ path, reason: 'cannot be compared: it excludes values' }];

  const wantedTypes = typesOf(wants);
  const type = types?.[0];
  if (wantedTypes && !(type !== undefined && wantedTypes.some((each) => includes(each, type)))) {
    return [{ path, reason: `is ${wantedTypes.join(' or ')}, and was ${type ?? 'anything'}` }];
  }
  switch (type) {
    case 'string':
      return [...textRefusals(wants, has, path), ...beyond];
    case 'number':
    case 'integer':
      return [...numberRefusals(wants, has, path), ...beyond];
    case 'array':
      return [...arrayRefusals(consumer, producer, path, inner), ...beyond];
    case 'object':
      return [...objectRefusals(consumer, producer, path, inner), ...beyond];
    default:
      return beyond;
  }
}

/** In characters: what people read of code. */
const SHOWN_CODE = 80;

/** Names what cannot be compared, and is not the same: code, and keywords that are not known here. acceptance.1 */
function refusalsBeyond(wants: JsonSchema, has: JsonSchema, path: string): readonly SchemaRefusal[] {
  const { rules = [], conversions = [] } = wants[CODE] ?? {};
  const [known, before] = [has[CODE]?.rules ?? [], has[CODE]?.conversions ?? []];
  const others = rules.filter((rule) => rule.includes(UNREADABLE) || !known.includes(rule));
  const isSame =
    conversions.length === before.length &&
    conversions.every((each) => before.includes(each) && !each.includes(UNREADABLE));
  const unknown = Object.keys(wants).filter(
    (name) =>
      !COMPARED.includes(name) && !ANNOTATIONS.includes(name) && !isSameSchema(member(wants, name), member(has, name)),
  );
  const conversion = conversions.find((each) => !before.includes(each)) ?? conversions[0] ?? 'not at all';
  return [
    ...others.map((rule) => ({
      path,
      reason: `has a rule in code, which cannot be compared: ${cut(rule, SHOWN_CODE)}`,
    })),
    ...(isSame
      ? []
      : [
          {
            path,
            reason: `is converted in another way, which cannot be compared: ${cut(conversion, SHOWN_CODE)}`,
          },
        ]),
    ...unknown.map((name) => ({ path, reason: `cannot be compared: ${name}` })),
  ];
}

function member(schema: JsonSchema, name: string): unknown {
  return (schema as Readonly<Record<string, unknown>>)[name];
}

/** A choice together with what stands beside it. */
function within(beside: JsonSchema, choice: JsonSchema): JsonSchema {
  const code = joined(beside[CODE], choice[CODE]);
  return { ...beside, ...choice, ...(code && { [CODE]: code }) };
}

/** Tells whether it means something else in another document. */
function refers(schema: JsonSchema): boolean {
  return JSON.stringify(schema).includes('"$ref"');
}

/** Gives what stands beside a choice, which holds for each of its branches. */
function rest({ anyOf: _anyOf, oneOf: _oneOf, $defs: _defs, ...others }: JsonSchema): JsonSchema {
  return others;
}

function isAnything(schema: JsonSchema): boolean {
  const tells = Object.keys(schema).filter((name) => !ANNOTATIONS.includes(name));
  return tells.length === 0;
}

const ANNOTATIONS = [
  '$schema',
  '$defs',
  '$id',
  'id',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
];

const COMPARED = [
  ...['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf', 'not', '$ref', CODE],
  ...['properties', 'required', 'additionalProperties', 'propertyNames'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minLength', 'maxLength', 'pattern', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
];

function includes(wanted: string, type: string): boolean {
  return wanted === type || (wanted === 'number' && type === 'integer');
}

function fewest(found: readonly (readonly SchemaRefusal[])[]): readonly SchemaRefusal[] {
  return found.reduce((best, each) => (each.length < best.length ? each : best), found[0] ?? []);
}

function textRefusals(wants: JsonSchema, has: JsonSchema, path: string): readonly SchemaRefusal[] {
  const { minLength = 0, maxLength = Infinity } = wants;
  return [
    ...((has.minLength ?? 0) < minLength ? [{ path, reason: `has at least ${minLength} characters` }] : []),
    ...((has.maxLength ?? Infinity) > maxLength ? [{ path, reason: `has at most ${maxLength} characters` }] : []),
    ...(wants.format !== undefined && wants.format !== has.format ? [{ path, reason: `is a ${wants.format}` }] : []),
    // The pattern of a format says the same in other words, unless the formats are the same.
    ...(wants.pattern !== undefined &&
    ![has, ...(has.allOf ?? [])].some(({ pattern }) => pattern === wants.pattern) &&
    (wants.format === undefined || wants.format === has.format)
      ? [{ path, reason: `matches ${wants.pattern}` }]
      : []),
  ];
}

function numberRefusals(wants: JsonSchema, has: JsonSchema, path: string): readonly SchemaRefusal[] {
  const least = (schema: JsonSchema) => Math.max(schema.minimum ?? -Infinity, schema.exclusiveMinimum ?? -Infinity);
  const most = (schema: JsonSchema) => Math.min(schema.maximum ?? Infinity, schema.exclusiveMaximum ?? Infinity);
  const below =
    least(has) < least(wants) || (least(has) === wants.exclusiveMinimum && has.exclusiveMinimum !== least(has));
  const above = most(has) > most(wants) || (most(has) === wants.exclusiveMaximum && has.exclusiveMaximum !== most(has));
  const { multipleOf } = wants;
  const steps = multipleOf !== undefined && !(has.multipleOf !== undefined && has.multipleOf % multipleOf === 0);
  return [
    ...(below
      ? [{ path, reason: `is ${wants.exclusiveMinimum === undefined ? 'at least' : 'more than'} ${least(wants)}` }]
      : []),
    ...(above
      ? [{ path, reason: `is ${wants.exclusiveMaximum === undefined ? 'at most' : 'less than'} ${most(wants)}` }]
      : []),
    ...(steps ? [{ path, reason: `is a multiple of ${multipleOf}` }] : []),
  ];
}

function arrayRefusals(
  consumer: Rooted,
  producer: Rooted,
  path: string,
  comparing: Comparing,
): readonly SchemaRefusal[] {
  const [wants, has] = [consumer.schema, producer.schema];
  const { minItems = 0, maxItems = Infinity } = wants;
  const item = (schema: JsonSchema, place: number): JsonSchema =>
    schema.prefixItems?.[place] ?? (typeof schema.items === 'object' ? schema.items : {});
  const length = Math.max(wants.prefixItems?.length ?? 0, has.prefixItems?.length ?? 0);
  const pairs = Array.from({ length: length + 1 }, (_, place) => place);
  const hasMost =
    has.maxItems ?? (has.prefixItems && typeof has.items !== 'object' ? has.prefixItems.length : Infinity);
  const hasLeast = has.minItems ?? (has.prefixItems && typeof has.items !== 'object' ? has.prefixItems.length : 0);
  return [
    ...(hasLeast < Math.max(minItems, wants.prefixItems?.length ?? 0)
      ? [{ path, reason: `has at least ${Math.max(minItems, wants.prefixItems?.length ?? 0)} items` }]
      : []),
    ...(hasMost > maxItems ? [{ path, reason: `has at most ${maxItems} items` }] : []),
    ...(wants.uniqueItems && !has.uniqueItems ? [{ path, reason: 'has no item twice' }] : []),
    ...pairs
      .filter((place) => place < hasMost)
      .flatMap((place) =>
        compare(
          { schema: item(wants, place), root: consumer.root },
          { schema: item(has, place), root: producer.root },
          join(path, place < length ? String(place) : '*'),
          comparing,
        ),
      ),
  ];
}

function objectRefusals(
  consumer: Rooted,
  producer: Rooted,
  path: string,
  comparing: Comparing,
): readonly SchemaRefusal[] {
  const [wants, has] = [consumer.schema, producer.schema];
  const missing = (wants.required ?? [])
    .filter((name) => !(has.required ?? []).includes(name))
    .map((name) => ({ path: join(path, name), reason: 'is required, and may be missing' }));
  const members = Object.entries(has.properties ?? {}).flatMap(([name, schema]) => {
    const place = join(path, name);
    const member = wants.properties?.[name] ?? wants.additionalProperties ?? true;
    if (member === false) return comparing.overlooks ? [] : [{ path: place, reason: 'is not known' }];
    if (member === true) return [];
    return compare({ schema: member, root: consumer.root }, { schema, root: producer.root }, place, comparing);
  });
  const closed = wants.additionalProperties === false && !comparing.overlooks;
  const unknown = closed ? [{ path: join(path, '*'), reason: 'is not known' }] : [];
  const others = has.additionalProperties;
  if (others === false) return [...missing, ...members];
  // The new schema refuses members that the old one left out without a word.
  if (typeof others !== 'object') return [...missing, ...members, ...unknown];
  const rests = [
    ...Object.entries(wants.properties ?? {})
      .filter(([name]) => !Object.hasOwn(has.properties ?? {}, name))
      .map(([, schema]) => schema),
    ...(typeof wants.additionalProperties === 'object' ? [wants.additionalProperties] : []),
  ];
  const names =
    wants.propertyNames && has.propertyNames
      ? compare(
          { schema: { type: 'string', ...wants.propertyNames }, root: consumer.root },
          { schema: { type: 'string', ...has.propertyNames }, root: producer.root },
          join(path, '(name)'),
          comparing,
        )
      : [];
  return [
    ...missing,
    ...members,
    ...names,
    ...unknown,
    ...rests.flatMap((schema) =>
      compare({ schema, root: consumer.root }, { schema: others, root: producer.root }, join(path, '*'), comparing),
    ),
  ];
}

/** Tells whether one value is accepted, which has passed the code of its schema. */
function refusalOfValue(
  consumer: Rooted,
  value: unknown,
  { [CODE]: code }: JsonSchema,
  path: string,
  comparing: Comparing,
): readonly SchemaRefusal[] {
  const { schema, root } = resolve(consumer);
  const said = JSON.stringify(value);
  if (schema.enum ?? 'const' in schema) {
    const known = (schema.enum ?? [schema.const]).some((each) => JSON.stringify(each) === said);
    return known
      ? refusalsBeyond(schema, { [CODE]: code }, path)
      : [{ path, reason: `can be ${said}, which is not one of ${JSON.stringify(schema.enum ?? [schema.const])}` }];
  }
  return compare({ schema, root }, rooted({ ...schemaOfValue(value), [CODE]: code }), path, comparing);
}

/** The schema of this value alone. */
function schemaOfValue(value: unknown): JsonSchema {
  const type = typeOfValue(value);
  switch (type) {
    case 'string': {
      const { length } = value as string;
      return { type, minLength: length, maxLength: length };
    }
    case 'integer':
    case 'number':
      return { type, minimum: value as number, maximum: value as number };
    default:
      return { type };
  }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
