import type { z } from 'zod';
import { describe, type Children, type Description, type Value } from './description.js';
import type { common } from './fields.js';
import type { Concatenation, Reference } from './reference.js';

/** A value, or a reference to one. */
export type Referable<T> = T | Reference | Concatenation;

export type Given<Shape extends z.ZodRawShape> = keyof Shape extends never
  ? unknown
  : { readonly [Name in keyof z.input<z.ZodObject<Shape>>]: Referable<z.input<z.ZodObject<Shape>>[Name]> };
/** The attributes that every component has. */
export type CommonAttributes = Partial<Given<(typeof common)['shape']>>;
/** The attributes of a component, as they are written. */
export type AttributesOf<Shape extends z.ZodRawShape> = Given<Shape> & CommonAttributes;

/** Gives a function that describes components of a kind by their attributes. */
export function maker<Shape extends z.ZodRawShape>(kind: string, _attributes: z.ZodObject<Shape>) {
  return (
    ...[attributes]: Record<never, never> extends Given<Shape> ? [AttributesOf<Shape>?] : [AttributesOf<Shape>]
  ) => describe(kind, (attributes ?? {}) as Record<string, Value>);
}

/** Children without names are called after their kinds and places: `delay_1`. */
function named(children: Children | readonly Description[]): Children {
  if (!isList(children)) return children;
  return Object.fromEntries(
    children.map((each, index) => [`${each.kind.charAt(0).toLowerCase()}${each.kind.slice(1)}_${index + 1}`, each]),
  );
}

function isList(children: Children | readonly Description[]): children is readonly Description[] {
  return Array.isArray(children);
}

/** Gives a function that describes components of a kind by their children: under their names, or a list of them. */
export function holder<Shape extends z.ZodRawShape>(kind: string, _attributes: z.ZodObject<Shape>) {
  return (
    children: Children | readonly Description[] = {},
    attributes: Partial<AttributesOf<Shape>> = {},
  ): Description => describe(kind, attributes as Record<string, Value>, named(children));
}
