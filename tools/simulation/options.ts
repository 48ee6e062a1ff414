import { parseArgs } from 'node:util';
import { isSubject, SUBJECTS, type Subject } from './subject.js';

/** The options of `npm run simulate`. */
export interface Options {
  readonly seeds: number;
  /** The only seed, to look at it. */
  readonly seed?: number;
  readonly subjects: readonly Subject[];
  readonly planted: boolean;
  /** A part of the names of the bugs that are planted. */
  readonly bug?: string;
}

export const USAGE = `usage: npm run simulate -- [--seeds N] [--seed S] [--only machines|rounds|crowd|asking|control-plane|components|distributed|anything] [--planted [--bug NAME]]

  --seeds N    simulate with the seeds 1 to N (default 1000); without --only, most others than machines take a half
               or a quarter of them, and rounds and crowd, which take longest, a twentieth; with --planted, at most N for each bug (2000)
  --seed S     simulate only with this seed, and show what happened
  --only       simulate only one of these: machines (generated ones), rounds (such that may go round), evolution (such that come to
               newer schemas), crowd (many wait for the same few), asking (some ask
               outside), control-plane (the reference control plane), components (trees of workflow components),
               distributed (operations over partitions) or anything (types drawn from all that is allowed; alone,
               it shows how often check refused one, by the reason)
  --planted    plant known bugs in copies of the code, and check that each is found
  --bug NAME   plant only the bugs whose names contain NAME

Exit codes: 0 no invariant is broken, or each planted bug is found; 1 otherwise; 2 the command was not valid.`;

/** Reads the options; nothing when only help is wanted. @throws TypeError that says what is wrong */
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
    throw new TypeError(
      `--only ${only} is unknown. Write machines, rounds, evolution, crowd, asking, control-plane, components, distributed or anything.`,
    );
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
  if (!Number.isInteger(number) || number < 1)
    throw new TypeError(`${name} is '${text}'. Write a whole number of at least 1.`);
  return number;
}
