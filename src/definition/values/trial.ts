/*
 * Tells whether values survive a schema with code of its author in it: it is tried with samples.
 */
import { z } from 'zod';
import { natureOf } from './nature.js';
import { plainCopy } from './plain.js';
import { isSameValue } from './same-value.js';
import { samplesOf } from './samples.js';
import type { AnySchema } from './schema-parts.js';
import { stillReads } from './still-reads.js';

/** Tells what is wrong with what the schema makes of a sample: `makes a Date of "2026-01-02"...`; nothing where all went well. */
export function trial(schema: AnySchema, isKept: boolean): string | undefined {
  const { codec } = natureOf(schema);
  for (const sample of samplesOf(schema)) {
    try {
      const parsed = z.safeParse(schema, sample);
      if (!parsed.success) continue;
      const said = codec ? tryCodec(schema, parsed.data) : tryMade(schema, parsed.data, isKept);
      if (said !== undefined) return `${said} (tried with ${written(sample)})`;
    } catch (thrown) {
      if (thrown instanceof z.core.$ZodAsyncError) return 'is asynchronous, and schemas are asked synchronously';
      // Code of its author does not take the sample.
    }
  }
  return undefined;
}

function tryMade(schema: AnySchema, made: unknown, isKept: boolean): string | undefined {
  const copied = plainCopy(made);
  if (!copied.plain)
    return `makes a value of which ${copied.path ? `'${copied.path}'` : 'the whole'} is not JSON: ${copied.message}`;
  if (!isKept || stillReads(schema, copied.value)) return undefined;
  return `returns ${written(copied.value)}, which it does not accept unchanged`;
}

/** Checks that what is decoded can be encoded, and that this gives the same again. */
function tryCodec(schema: AnySchema, decoded: unknown): string | undefined {
  const encoded = z.safeEncode(schema, decoded as never);
  if (!encoded.success) return `decodes a value that it does not encode: ${encoded.error.issues[0]?.message}`;
  const copied = plainCopy(encoded.data);
  if (!copied.plain) return `encodes to something that is not JSON: ${copied.message}`;
  const again = z.safeParse(schema, copied.value);
  const back = again.success ? z.safeEncode(schema, again.data as never) : undefined;
  const isSame = back?.success === true && isSameValue(back.data, copied.value);
  return isSame ? undefined : `encodes to ${written(copied.value)}, which does not come back from decoding as it was`;
}

function written(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined';
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
