import { fingerprint32 } from 'farmhash-modern';

/** How many percent of all workflows a new build has taken over at the end of each cohort, in growing order. */
export type Cohorts = readonly number[];

export const ALL = 100;
const HASHES = 2 ** 32;

/**
 * Tells whether a ramp of so many percent leads this workflow to the new build. Temporal decides it by the hash of the workflow's id, so
 * it is the same in each of its runs, and the workflows of a cohort are also in all later ones.
 */
export function isInCohort(workflowId: string, percent: number): boolean {
  return percent >= ALL || (percent > 0 && (ALL * fingerprint32(workflowId)) / HASHES <= percent);
}

/** Reads `1%,10%,50%,100%`. @throws RangeError that says what is wrong */
export function parseCohorts(text: string): Cohorts {
  const cohorts = text.split(',').map((each) => Number(/^\s*(\d+(?:\.\d+)?)\s*%?\s*$/.exec(each)?.[1] ?? NaN));
  const isRising = cohorts.every((percent, index) => percent > (cohorts[index - 1] ?? 0) && percent <= ALL);
  if (isRising) return cohorts;
  throw new RangeError(`'${text}' names no cohorts. Write rising percentages of at most 100, such as 1%,10%,50%,100%.`);
}
