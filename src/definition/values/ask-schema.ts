import { z } from 'zod';
import { namedMessageOf } from '../thrown.js';
import type { AnySchema } from './schema-parts.js';

/** What a schema makes of a value, or its issues. `thrown` says what code of its author has thrown, which is a refusal like any other. */
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
