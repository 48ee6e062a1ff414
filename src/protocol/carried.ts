/*
 * The two forms of a value: the one that is stored and sent, and the one that code sees.
 *
 * carried.1. What is stored and sent is JSON, as definition/values/plain.ts says it. S1.5a
 * carried.2. Where a schema has codecs, code sees the decoded value, and the encoded one is stored and sent. S1.5a
 * carried.3. What properties and subordinates keep, their schema takes again as it is: otherwise no action could end any more. S1.5a
 * carried.4. What a schema itself throws (a mistake in a refinement, one that is asynchronous) is an issue like any other: it must
 *     never block the workflow.
 */
import { z } from 'zod';
import { namedMessageOf } from '../definition/thrown.js';
import { natureOf } from '../definition/values/nature.js';
import { plainCopy } from '../definition/values/plain.js';
import { stillReads } from '../definition/values/still-reads.js';
import { issuesOf, type SchemaIssue } from './schema-problems.js';

export type Checked<T = unknown> = { readonly valid: true; readonly value: T } | Wrong;

export interface Wrong {
  readonly valid: false;
  readonly issues: readonly SchemaIssue[];
  /** It is no JSON, whatever its schema says. */
  readonly unstorable?: true;
}

/**
 * Checks a value of JSON against a schema, and gives what the schema makes of it, for code that sees it.
 * @param place above the paths of the issues: `properties`
 */
export function checkAgainst<S extends z.ZodType>(schema: S, value: unknown, place = ''): Checked<z.output<S>> {
  return guarded(place, () => taken(schema.safeParse(value), place));
}

/** Checks a value of JSON that comes from outside, and gives what is stored and sent of it. */
export function admit(schema: z.ZodType, value: unknown, place = '', keeps = false): Checked {
  const { codec, unsure } = natureOf(schema);
  const made = checkAgainst(schema, value, place);
  if (!made.valid) return made;
  if (codec) return encode(schema, made.value, place);
  // A value that the schema has made of JSON without code of its author is JSON.
  if (!unsure) return made;
  const copied = plain(made.value, place);
  if (!copied.valid || !keeps) return copied;
  return guarded(place, () =>
    stillReads(schema, copied.value)
      ? copied
      : wrong(place, 'the schema does not accept its own output. Declare a codec, which converts in both directions'),
  );
}

/** Checks what a provider gives: what its schema leaves out may be anything. */
export function giveOutput(schema: z.ZodType, value: unknown): Checked {
  const made = checkAgainst(schema, value);
  return made.valid ? encode(schema, made.value) : made;
}

/** Checks a value that code has given as it is sent. */
export function give(schema: z.ZodType, value: unknown, place = ''): Checked {
  const copied = plain(value, place);
  return copied.valid ? admit(schema, copied.value, place) : copied;
}

/** Gives what is stored and sent of a value that code has given as it sees it. It need not be JSON where the schema has codecs. */
export function encode(schema: z.ZodType, seen: unknown, place = '', stored = false): Checked {
  if (!natureOf(schema).codec) return plain(seen, place, stored);
  const encoded = guarded(place, () => taken(z.safeEncode(schema, seen as never), place));
  return encoded.valid ? plain(encoded.value, place, stored) : encoded;
}

/** Gives what code sees of a value that was stored or sent. */
export function decode(schema: z.ZodType, stored: unknown, place = ''): Checked {
  return natureOf(schema).codec ? checkAgainst(schema, stored, place) : { valid: true, value: stored };
}

/** A copy of a value that is JSON. carried.1 */
export function plain(value: unknown, place = '', stored = false): Checked {
  const copied = plainCopy(value, place, stored);
  return copied.plain
    ? { valid: true, value: copied.value }
    : { ...wrong(copied.path, copied.message), unstorable: true };
}

function taken<T>(parsed: z.ZodSafeParseResult<T>, place: string): Checked<T> {
  if (parsed.success) return { valid: true, value: parsed.data };
  return { valid: false, issues: issuesOf(parsed.error, above(place)) };
}

/** carried.4 */
function guarded<T>(place: string, check: () => Checked<T>): Checked<T> {
  try {
    return check();
  } catch (thrown) {
    return wrong(place, `the schema has thrown: ${namedMessageOf(thrown)}`);
  }
}

function wrong(path: string, message: string): Wrong {
  return { valid: false, issues: [{ path, message }] };
}

function above(place: string): readonly string[] {
  return place === '' ? [] : [place];
}
