import { colours } from '../colours.js';
import { lasting } from './time-words.js';

/** Something that is stuck, as the service tells it. Times are milliseconds since 1970. */
export interface ToldStuck {
  readonly since?: number;
  readonly message: string;
  readonly whatToDo: string;
}

/** Since when and why something is stuck, and what to do. */
export function stuckLines({ since, message, whatToDo }: ToldStuck, now: number, pc = colours): readonly string[] {
  return [pc.red(`stuck${sinceWords(since, now)}: ${message}`), pc.yellow(`  ${whatToDo}`)];
}

/** The same for several, with their names. */
export function stuckOnesLines(
  ones: readonly (ToldStuck & { readonly who: string })[],
  now: number,
  pc = colours,
): readonly string[] {
  return ones.flatMap(({ who, since, message, whatToDo }) => [
    pc.red(`${who} is stuck${sinceWords(since, now)}: ${message}`),
    pc.yellow(`  ${whatToDo}`),
  ]);
}

function sinceWords(since: number | undefined, now: number): string {
  return since === undefined ? '' : ` ${lasting(since, now)}`;
}
