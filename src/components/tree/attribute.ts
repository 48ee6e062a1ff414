import type { z } from 'zod';
import type { Value } from '../description/description.js';
import type { Draft } from './draft.js';
import { fieldOf } from './kind.js';
import { attributeOf, AttributeWrong, ReferenceFailed, resolve } from './resolve.js';

/**
 * An attribute as its kind declares it, its references resolved now.
 * @throws ReferenceFailed, AttributeWrong
 */
export function readAttribute(draft: Draft, id: number, name: string): unknown {
  const value = attributeOf(draft, id, name);
  const field = fieldOf(draft.kind(id), name);
  const resolved = value === undefined ? undefined : resolve(draft, id, value);
  if (!field) return resolved;
  const parsed = field.safeParse(resolved);
  if (parsed.success) return parsed.data;
  throw new AttributeWrong(
    `Attribute '${name}' of ${draft.path(id) || draft.run}: ${parsed.error.issues[0]!.message}.`,
  );
}

/** Finds what is wrong with the attributes now. A reference that leads nowhere yet is looked at when it is used. */
export function wrongAttributes(draft: Draft, id: number): string | undefined {
  const kind = draft.kind(id);
  const given = draft.get(id).attributes ?? draft.description(id).attributes;
  for (const name of Object.keys(given)) {
    if (fieldOf(kind, name) || kind.takesTemplates) continue;
    return `Attribute '${name}' is not known to ${draft.description(id).kind}`;
  }
  for (const name of Object.keys(kind.attributes.shape)) {
    const value = attributeOf(draft, id, name);
    const field = fieldOf(kind, name)!;
    const known = value !== undefined && refers(value) ? resolvedNow(draft, id, field, value) : value;
    if (known === UNKNOWN) continue;
    const parsed = field.safeParse(known);
    if (!parsed.success) return `Attribute '${name}': ${parsed.error.issues[0]!.message}`;
  }
  return undefined;
}

const UNKNOWN = Symbol();

function resolvedNow(draft: Draft, id: number, field: z.ZodType, value: Value): unknown {
  if (keepsReference(field)) return value;
  try {
    return resolve(draft, id, value);
  } catch (thrown) {
    if (thrown instanceof ReferenceFailed) return UNKNOWN;
    throw thrown;
  }
}

/** Tells whether an attribute of this schema is a reference itself, or a description, and not the value to which a reference leads. */
export function keepsReference(field: z.ZodType): boolean {
  return field.safeParse({ $ref: '../x' }).success && !field.safeParse({ x: 1 }).success;
}

/** Tells whether the value holds a reference. */
export function refers(value: Value): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return '$ref' in value || '$concat' in value || Object.values(value).some((each: Value) => refers(each));
}
