import { logUpdateStderr } from 'log-update';
import { EXIT } from './exit.js';
import { printJson, printJsonLine } from './json.js';

export interface FollowOptions {
  readonly json?: boolean;
  /** Tells whether to print as JSON only how it has ended. */
  readonly last?: boolean;
}

/** How something that is followed is told to people. */
export interface FollowWords<T> {
  /** The words that name it, like "The operation 'orders/buildIndex/3'". */
  readonly name: string;
  /** The picture that a terminal shows, drawn anew with each change. */
  live(now: T): string;
  /** The lines for a change, where no terminal is. */
  lines(now: T, before: T | undefined): readonly string[];
  /** The line for how it has ended. */
  ended(last: T): string;
  hasSucceeded(last: T): boolean;
}

/** Shows something while it changes: a live picture on a terminal, lines elsewhere. Gives the exit code. */
export async function followToItsEnd<T>(
  changes: AsyncIterable<T>,
  words: FollowWords<T>,
  { json, last }: FollowOptions,
  isLive = process.stderr.isTTY,
): Promise<number> {
  let latest: T | undefined;
  for await (const now of changes) {
    if (json && !last) printJsonLine(now);
    else if (!json && isLive) logUpdateStderr(words.live(now));
    else if (!json) for (const line of words.lines(now, latest)) console.error(line);
    latest = now;
  }
  if (isLive && !json) logUpdateStderr.done();
  if (latest === undefined) throw new Error(`${words.name} was followed and told nothing.`);
  if (json && last) printJson(latest);
  else if (!json) console.log(words.ended(latest));
  return words.hasSucceeded(latest) ? EXIT.done : EXIT.failed;
}
