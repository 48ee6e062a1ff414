import { parseArgs } from 'node:util';

/** The options of `npm run bench`. */
export interface BenchOptions {
  /** The beginning of the names of the cases that are measured. */
  readonly only?: string;
  readonly quick: boolean;
  readonly json: boolean;
  readonly scale: boolean;
  /** Tells whether Reeve is measured with encrypted payloads, beside Reeve without. Q5 */
  readonly encrypted: boolean;
  /** How many entities wait for answers from outside, where that is measured. */
  readonly waiting?: number;
  /** The commit that this one is compared with. */
  readonly compare?: string;
  /** How many rounds of each are compared. */
  readonly rounds?: number;
  /** The case that is to be profiled. */
  readonly profile?: string;
}

export const USAGE = `usage: npm run bench -- [--only CASE] [--quick] [--json] [--encrypted]
       npm run bench -- --compare COMMIT [--only CASE] [--rounds N] [--json]
       npm run bench -- --scale [--only CASE] [--quick] [--json]
       npm run bench -- --profile CASE [--quick] [--encrypted]
       npm run bench -- --waiting [ENTITIES] [--json]

  --only CASE     measure only the cases whose name begins so; an unknown name lists all cases. 'distributed' is measured only by
                  its name: an index on 200 partitions of a table in PostgreSQL, beside a script; 10 minutes
  --only page     measure the web page, in a browser, over a store with 100,000 entities
  --quick         measure fewer and shorter rounds, for development
  --json          print JSON instead of a table
  --encrypted     measure how many events a second Reeve does with encrypted payloads beside Reeve without; 15 minutes
  --compare COMMIT
                  build that commit and measure both in alternating rounds: 30, or as many as --rounds says, for each case. It takes
                  20 minutes for the cases that show most, keeps the figures in docs/bench.jsonl, and ends with 1 when one is worse by 3 %
  --scale         measure whether the cost of one stays the same when there are many
  --waiting N     measure what N entities (10000) cost that wait for answers from outside, beside N at rest; and how fast they are answered; two hours
  --profile CASE  show where the CPU time of the workers goes while that case is measured`;

/** How many wait, unless it is said otherwise. */
const ALL_WAITING = 10_000;

/** Reads the options. @throws TypeError that says what is wrong */
export function readOptions(args: readonly string[]): BenchOptions {
  const [first, count, ...others] = args;
  if (first === '--waiting') return readWaiting(count, others);
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: text,
      quick: flag,
      json: flag,
      scale: flag,
      encrypted: flag,
      profile: text,
      compare: text,
      rounds: text,
    },
  });
  const { only, profile, compare, rounds, ...flags } = values;
  if (
    compare === undefined
      ? rounds !== undefined
      : profile !== undefined || flags.scale || flags.quick || flags.encrypted
  )
    throw new TypeError(
      '--compare can be used only with --only, --rounds and --json, and --rounds only with --compare.',
    );
  if (profile !== undefined && (only !== undefined || flags.scale || flags.json)) {
    throw new TypeError('--profile can be used only with --quick and --encrypted, and with no other option.');
  }
  return {
    ...flags,
    ...(only !== undefined && { only }),
    ...(profile !== undefined && { profile }),
    ...(compare !== undefined && { compare }),
    ...(rounds !== undefined && { rounds: readRounds(rounds) }),
  };
}

function readRounds(text: string): number {
  const rounds = Number(text);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds takes a whole number from 1.');
  return rounds;
}

function readWaiting(count: string | undefined, others: readonly string[]): BenchOptions {
  const given = count === undefined || count === '--json' ? undefined : Number(count);
  const flags = given === undefined && count !== undefined ? [count, ...others] : others;
  if (given !== undefined && !(Number.isInteger(given) && given >= 2))
    throw new TypeError('--waiting takes a whole number from 2.');
  if (flags.some((flag) => flag !== '--json')) throw new TypeError('--waiting can be used only with --json.');
  return { quick: false, json: flags.length > 0, scale: false, encrypted: false, waiting: given ?? ALL_WAITING };
}

/** The cases whose name begins so. @throws TypeError when there is none */
export function chosen<T extends { readonly name: string }>(all: readonly T[], beginning = ''): readonly T[] {
  const found = all.filter(({ name }) => name.startsWith(beginning));
  if (found.length > 0) return found;
  throw new TypeError(`There is no case '${beginning}'. The cases are: ${all.map(({ name }) => name).join(', ')}.`);
}
