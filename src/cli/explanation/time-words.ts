const UNITS = [
  { name: 's', ms: 1_000, below: 60 },
  { name: 'min', ms: 60_000, below: 60 },
  { name: 'h', ms: 3_600_000, below: 24 },
  { name: 'd', ms: 86_400_000, below: Infinity },
] as const;

/** A length of time in milliseconds, rounded, for people: `12 s`, `3 min`. */
export function inWords(ms: number): string {
  if (ms < 500) return 'less than 1 s';
  const unit = UNITS.find((each) => Math.round(ms / each.ms) < each.below) ?? UNITS[3];
  return `${Math.round(ms / unit.ms)} ${unit.name}`;
}

/** How long something has lasted: `for 12 s`. Times are milliseconds since 1970. */
export function lasting(since: number, now: number): string {
  return `for ${inWords(now - since)}`;
}

/** When something comes: `in 3 s`, or that it is late. */
export function ahead(at: number, now: number): string {
  if (at > now) return `in ${inWords(at - now)}`;
  return now - at < 1_000 ? 'now' : `due ${lasting(at, now)}`;
}
