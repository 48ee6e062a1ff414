import { parseArgs } from 'node:util';
import { isSubject, SUBJECTS, type Subject } from './subject.js';

/** What `npm run simulate` is asked to do. */
export interface Options {
  readonly seeds: number;
  /** One seed, to look at it. */
  readonly seed?: number;
  readonly subjects: readonly Subject[];
  readonly planted: boolean;
  /** Only the planted bugs in whose name this stands. */
  readonly bug?: string;
}

export const USAGE = `usage: npm run simulate -- [--seeds N] [--seed S] [--only machines|crowd|asking|control-plane] [--planted [--bug NAME]]

  --seeds N    simulate with the seeds 1 to N (default 1000); of all, the control plane with half of them and the crowd,
               which takes longest, with a twentieth; with --planted, at most so many for each bug (2000)
  --seed S     simulate with this seed alone, and show what happened
  --only       generated machines, many that wait for the same few, some who ask outside, or the reference control plane
               (default: all)
  --planted    plant known bugs in copies of the code, and see that each is found
  --bug        plant only those in whose name this stands

Exit codes: 0 no invariant is broken, or each planted bug is found; 1 otherwise; 2 the command was not right.`;

/** Nothing when only help is wanted. @throws TypeError with what is wrong */
export function readOptions(args: readonly string[]): Options | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seeds: { type: 'string' },
      seed: { type: 'string' },
      only: { type: 'string' },
      planted: { type: 'boolean', default: false },
      bug: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return undefined;
  const { only, planted, bug } = values;
  if (only !== undefined && !isSubject(only))
    throw new TypeError(`--only ${only}: name machines, crowd, asking or control-plane.`);
  const seed = values.seed === undefined ? undefined : wholeNumber('--seed', values.seed);
  return {
    seeds: values.seeds === undefined ? (planted ? 2_000 : 1_000) : wholeNumber('--seeds', values.seeds),
    ...(seed !== undefined && { seed }),
    subjects: only === undefined ? (Object.keys(SUBJECTS) as Subject[]) : [only],
    planted,
    ...(bug !== undefined && { bug }),
  };
}

function wholeNumber(name: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1) throw new TypeError(`${name} ${text}: write a whole number from 1.`);
  return number;
}
