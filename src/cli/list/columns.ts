import { colours } from '../colours.js';

/*
 * How tables show values to people, where several tables have them.
 */

const OUTCOMES: Readonly<Record<string, (text: string) => string>> = {
  success: colours.green,
  running: colours.cyan,
  hung: colours.yellow,
  canceled: colours.yellow,
  // An abort was asked for.
  aborted: colours.dim,
};

/** How something ended, or that it has not. */
export function paintOutcome(outcome: string): string {
  return (OUTCOMES[outcome] ?? colours.red)(outcome);
}

/** A state, red when it is an error state. */
export function paintState(state: string, isError: boolean): string {
  return isError ? colours.red(state) : state;
}

export const dim = (text: string) => colours.dim(text);
