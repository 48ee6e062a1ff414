/*
 * Numbers that sum up samples. The functions do not change the samples. Without samples, quantile and median are NaN.
 */

/** The value below which a share (0 to 1) of the samples lies. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** The middle sample, or the mean of the two in the middle. */
export function median(samples: readonly number[]): number {
  const sorted = samples.toSorted((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2;
}

/** How many standard deviations lie on each side of the middle of 90 % of a normal distribution. */
const NINETY_PERCENT = 1.645;

/** The 90 % confidence interval of the median, by ranks, so that it supposes nothing of how the samples are spread. */
export function medianInterval(samples: readonly number[]): { readonly low: number; readonly high: number } {
  const sorted = samples.toSorted((a, b) => a - b);
  const { length } = sorted;
  const rank = Math.max(0, Math.floor((length - NINETY_PERCENT * Math.sqrt(length)) / 2));
  return { low: sorted[rank] ?? NaN, high: sorted[length - 1 - rank] ?? NaN };
}

/** The median of several rounds, and their lowest and highest value. */
export interface Spread {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function spread(samples: readonly number[]): Spread {
  return { median: median(samples), low: Math.min(...samples), high: Math.max(...samples) };
}
