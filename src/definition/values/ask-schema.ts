import { z } from 'zod';
import { namedMessageOf } from '../thrown.js';
import type { AnySchema } from './schema-parts.js';

/** The value that a schema gives, or its issues. `thrown` is the error of its author's code, which is a refusal like any other. */
export type Asked =
  | { readonly success: true; readonly data: unknown }
  | { readonly success: false; readonly issues: readonly z.core.$ZodIssue[]; readonly thrown?: string };

export function askSchema(schema: AnySchema, value: unknown): Asked {
  try {
    const parsed = z.safeParse(schema, value);
    return parsed.success ? parsed : { success: false, issues: parsed.error.issues };
  } catch (thrown) {
    return { success: false, issues: [], thrown: namedMessageOf(thrown) };
  }
}
