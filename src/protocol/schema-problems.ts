import type { z } from 'zod';

/** What a schema has found wrong, in one line for people: `place: Invalid input: expected number, received string`. */
export function schemaProblems({ issues }: z.core.$ZodError): string {
  return issues
    .map(({ path, message }) => (path.length > 0 ? `${path.map(String).join('.')}: ${message}` : message))
    .join('; ');
}
