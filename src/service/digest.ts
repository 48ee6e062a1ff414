import { createHash } from 'node:crypto';

/** A short name for data that says whether it is the same as before. Not for secrets. */
export function digestOf(data: unknown): string {
  return createHash('sha256').update(JSON.stringify(data)).digest('base64url').slice(0, 16);
}
