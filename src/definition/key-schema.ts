import type { z } from 'zod';

/** A part of a key: a text, or a whole number. */
export type KeyPart = z.ZodType<string | number>;
/** The named parts of a key, in their order. */
export type KeyPartsSchema = z.ZodObject<Readonly<Record<string, KeyPart>>>;
/** Describes how the key of a type is declared: as one text, or as several named parts. S1.1 */
export type KeySchema = z.ZodType<string> | KeyPartsSchema;

/** The part of a declaration that describes keys. */
interface Keyed {
  readonly key: KeySchema;
}

/** The parts of a key by their names, for code that treats all types alike. */
export type AnyKeyParts = Readonly<Record<string, string | number>>;

type PartsSchemaOf<E extends Keyed> = Extract<E['key'], KeyPartsSchema>;
/** The parts of a type's keys by their names; `undefined` where a key is one text. */
export type KeyPartsOf<E extends Keyed> = [PartsSchemaOf<E>] extends [never]
  ? undefined
  : Readonly<z.output<PartsSchemaOf<E>>>;
/** A key as it can be given: as text, or by its parts where the type declares parts. */
export type KeyOf<E extends Keyed> = string | Exclude<KeyPartsOf<E>, undefined>;

/** The declared parts of a type's keys; nothing where a key is one text. */
export function keySchemas({ key }: Keyed): Readonly<Record<string, KeyPart>> | undefined {
  return 'shape' in key ? key.shape : undefined;
}
