import type { AnyEntity } from '../../definition/entity.js';
import { partsOf } from '../../definition/key-check.js';
import { keySchemas, type KeyPart } from '../../definition/key-schema.js';
import { liveSchema } from '../live-schema.js';
import type { Properties, Property } from '../odata/index.js';
import { viewModel } from './view-model.js';

/** A part of the keys of a type, as a property of its entities. */
export interface NamedPart {
  /** The name of the part, as it is declared. */
  readonly part: string;
  /** The name of the property. */
  readonly name: string;
  readonly schema: KeyPart;
}

/**
 * The parts of the keys of a type, in their order. There are none where a key is one text. A part whose name entities have anyway
 * gets another name.
 */
export function keyPartNames(entity: AnyEntity): readonly NamedPart[] {
  const schemas = keySchemas(entity);
  if (!schemas) return [];
  const others = Object.entries(entity.dimensions).filter(([name, source]) => source !== `key.${name}`);
  const columns = viewModel(
    'entities',
    others.map(([name]) => name),
  );
  const taken = new Set([...Object.keys(columns.properties), ...Object.keys(liveSchema.shape)]);
  return Object.entries(schemas).map(([part, schema]) => ({
    part,
    name: taken.has(part) ? `${part}_part` : part,
    schema,
  }));
}

/** Describes what a query can ask of each part. A row may be older than the declaration, and lacks the parts then. */
export function keyPartProperties(parts: readonly NamedPart[]): Properties {
  return Object.fromEntries(parts.map(({ name, schema }) => [name, propertyOf(schema)]));
}

/** The properties that a key gives an entity. They are null where the key is not one of the type's. */
export function keyPartValues(entity: AnyEntity, key: string): Readonly<Record<string, string | number | null>> {
  const values = partsOf(entity, key) ?? {};
  return Object.fromEntries(keyPartNames(entity).map(({ part, name }) => [name, values[part] ?? null]));
}

function propertyOf(schema: KeyPart): Property {
  const { type } = schema._zod.def;
  if (type === 'number') return { kind: 'integer' };
  // A text with a format, such as a date, is a plain text here, since the text tells entities apart.
  const values = type === 'string' ? [] : [...(schema._zod.values ?? [])].map(String);
  return values.length > 0 ? { kind: 'enum', values } : { kind: 'string' };
}
