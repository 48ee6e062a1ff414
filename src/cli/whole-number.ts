import { InvalidArgumentError } from 'commander';

/** Parses a whole number from 1 to the most. @throws InvalidArgumentError */
export function wholeNumberTo(most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (Number.isInteger(number) && number >= 1 && number <= most) return number;
    throw new InvalidArgumentError(`Give a whole number from 1 to ${most}.`);
  };
}
