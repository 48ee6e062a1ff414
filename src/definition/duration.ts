/** A length of time: milliseconds as a number, or a number with its unit: `'250ms'`, `'30s'`, `'5m'`, `'2h'`, `'7d'`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

/** How a duration with its unit is written. */
export const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;

const MILLISECONDS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A quarter of a million years, whose end is still a time that `Date` can tell. A longer one means never. */
const LONGEST_MS = 8e15;

/** The duration in milliseconds, or `undefined` when it is not valid: not a number, negative or without a unit. */
export function parseDuration(duration: Duration): number | undefined {
  if (typeof duration === 'number')
    return Number.isFinite(duration) && duration >= 0 ? Math.min(duration, LONGEST_MS) : undefined;
  const match = DURATION.exec(duration);
  if (!match) return undefined;
  return Math.min(Number(match[1]) * MILLISECONDS[match[2] as keyof typeof MILLISECONDS], LONGEST_MS);
}

const UNITS = ['d', 'h', 'm', 's'] as const;
/** From here on, parts of a second are left out. */
const WHOLE_SECONDS_MS = 10_000;

/** A duration as one declares it, in its largest unit that leaves no rest: `1h`, `90s`, `250ms`. */
export function asDeclared(milliseconds: number): string {
  const whole = milliseconds < WHOLE_SECONDS_MS ? Math.round(milliseconds) : Math.round(milliseconds / 1_000) * 1_000;
  const unit = whole === 0 ? 's' : (UNITS.find((each) => whole % MILLISECONDS[each] === 0) ?? 'ms');
  return `${whole / MILLISECONDS[unit]}${unit}`;
}

/** The duration in milliseconds. Declarations are checked at load, so anything else here is a defect. */
export function toMilliseconds(duration: Duration): number {
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) {
    throw new RangeError(`'${duration}' is not a duration. Write milliseconds as a number, or '30s', '5m', '2h'.`);
  }
  return milliseconds;
}
