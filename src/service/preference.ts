/**
 * How many seconds the caller prefers to wait for the outcome (RFC 7240): `Prefer: wait=10`. None without that, and when
 * it is not understood, as the standard says.
 */
export function preferredWait(prefer: string | undefined, longest: number): number | undefined {
  for (const preference of prefer?.split(',') ?? []) {
    const [, seconds] = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(?:;.*)?$/i.exec(preference) ?? [];
    if (seconds !== undefined) return Math.min(Number(seconds), longest);
  }
  return undefined;
}
