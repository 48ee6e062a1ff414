const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** A length of time for people: `0 s`, `250 ms`, `4 s`, `2 min 30 s`, `3 d 4 h`. */
export function lengthOf(milliseconds: number): string {
  if (milliseconds <= 0) return '0 s';
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  const first = UNITS.findIndex(([, size]) => milliseconds >= size);
  const [name, size] = UNITS[first]!;
  const [next, part] = UNITS[first + 1] ?? [undefined, 1];
  const whole = Math.floor(milliseconds / size);
  const rest = next === undefined ? 0 : Math.floor((milliseconds % size) / part);
  return rest === 0 ? `${whole} ${name}` : `${whole} ${name} ${rest} ${next}`;
}
