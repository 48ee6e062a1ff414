import type { JsonSchema } from './openapi.js';
import { anchor, code, prose } from './page.js';

const REFERENCE = '#/components/schemas/';
/** The page of the schemas, as other pages of the API link to it. */
const SCHEMAS = 'schemas.md';

/** The members of an object in rows: name, type, description. */
export function memberRows(
  { properties = {}, required = [] }: JsonSchema,
  schemas = SCHEMAS,
): readonly (readonly string[])[] {
  return Object.entries(properties).map(([name, schema]) => [
    code(name) + (required.includes(name) ? '' : ', optional'),
    jsonTypeOf(schema, schemas),
    prose(schema.description ?? ''),
  ]);
}

/** The type of a schema in words, with links to the schemas that have a name. */
export function jsonTypeOf(schema: JsonSchema, schemas = SCHEMAS): string {
  const { $ref, type, format, enum: values, items, anyOf, oneOf, allOf, properties } = schema;
  if ($ref !== undefined) {
    const name = $ref.slice(REFERENCE.length);
    return `[${name}](${schemas}#${anchor(name)})`;
  }
  const parts = anyOf ?? oneOf;
  if (parts) return [...new Set(parts.map((each) => jsonTypeOf(each, schemas)))].join(' or ');
  if (allOf) return allOf.map((each) => jsonTypeOf(each, schemas)).join(' and ');
  if (values) return values.map((value) => code(JSON.stringify(value))).join(', ');
  if (items) return `list of ${jsonTypeOf(items, schemas)}`;
  if (properties) return `object with ${some(Object.keys(properties).map(code))}`;
  const name = typeof type === 'string' ? type : (type?.join(' or ') ?? 'any value');
  return format === undefined ? name : `${name} (${format})`;
}

/** A row of a list has dozens of columns, which its view describes. */
function some(names: readonly string[]): string {
  return names.length > MOST_MEMBERS ? `${names.slice(0, MOST_MEMBERS).join(', ')} and others` : names.join(', ');
}

const MOST_MEMBERS = 8;
