import { InvalidArgumentError } from 'commander';

const MOST = 10_000;

/** Parses a number of jobs. @throws InvalidArgumentError */
export function jobsAtOnce(text: string): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= MOST) return number;
  throw new InvalidArgumentError(`Give a whole number from 1 to ${MOST}.`);
}
