import type { z } from 'zod';

/** A zod schema of any kind, as its definition says it. */
export type AnySchema = z.core.$ZodType;
type SchemaDef = z.core.$ZodTypeDef & {
  readonly coerce?: boolean;
  readonly checks?: readonly z.core.$ZodCheck[];
  readonly shape: Readonly<Record<string, AnySchema>>;
  readonly catchall?: AnySchema;
  readonly element: AnySchema;
  readonly items: readonly AnySchema[];
  readonly rest: AnySchema | null;
  readonly keyType: AnySchema;
  readonly valueType: AnySchema;
  readonly options: readonly AnySchema[];
  readonly left: AnySchema;
  readonly right: AnySchema;
  readonly innerType: AnySchema;
  readonly in: AnySchema;
  readonly out: AnySchema;
  readonly reverseTransform?: unknown;
  readonly values: readonly unknown[];
  readonly entries: Readonly<Record<string, string | number>>;
  readonly parts: readonly unknown[];
  readonly defaultValue: unknown;
};

export function defOf(schema: AnySchema): SchemaDef {
  return schema._zod.def as SchemaDef;
}

/** Tells whether a schema goes both ways: `z.codec`, `z.stringbool`. */
export function isCodec(schema: AnySchema): boolean {
  const def = defOf(schema);
  return def.type === 'pipe' && typeof def.reverseTransform === 'function';
}

/** The schema that a lazy one stands for; nothing where it names something that is not defined yet. */
export function innerOf(schema: AnySchema): AnySchema | undefined {
  try {
    return (schema as z.core.$ZodLazy)._zod.innerType;
  } catch {
    return undefined;
  }
}

/** The members of an object; none where a getter names something that is not defined yet. */
function shapeOf(schema: AnySchema): Readonly<Record<string, AnySchema>> {
  try {
    return defOf(schema).shape;
  } catch {
    return {};
  }
}

/** The schemas of which one consists. */
export function partsOf(schema: AnySchema): readonly AnySchema[] {
  const def = defOf(schema);
  switch (def.type) {
    case 'object':
      return [...membersOf(schema).map(([, member]) => member), ...(def.catchall ? [def.catchall] : [])];
    case 'array':
      return [def.element];
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])];
    case 'record':
    case 'map':
      return [def.keyType, def.valueType];
    case 'set':
      return [(def as unknown as { readonly valueType: AnySchema }).valueType];
    case 'union':
      return def.options;
    case 'intersection':
      return [def.left, def.right];
    case 'pipe':
      return [def.in, def.out];
    case 'lazy':
      return [innerOf(schema) ?? []].flat();
    case 'optional':
    case 'nullable':
    case 'nonoptional':
    case 'readonly':
    case 'default':
    case 'prefault':
    case 'catch':
    case 'success':
    case 'promise':
      return [def.innerType];
    default:
      return [];
  }
}

/** The members of an object that can be read: a getter may name something that is not defined yet. */
export function membersOf(schema: AnySchema): readonly (readonly [name: string, member: AnySchema])[] {
  const shape = shapeOf(schema);
  return Object.keys(shape).flatMap((name) => {
    try {
      const member = shape[name];
      return member ? [[name, member] as const] : [];
    } catch {
      return [];
    }
  });
}
