import type { Rig } from '../rig.js';
import { spread, type Spread } from '../statistics.js';
import { untilRested } from '../until-rested.js';
import { assemble, inTurn, replaceWorker } from './those-who-wait.js';
import { ALL_CACHED } from './trial.js';

/** How fast those that wait in a state are answered, beside ordinary events on those at rest: a round of one, then a round of the other. */
export interface Rates {
  /** Tells whether all are in the worker's memory at first, or none. */
  readonly cached: boolean;
  /** How many a second. */
  readonly events: Spread;
  readonly answers: Spread;
  readonly ratio: Spread;
}

const ROUNDS = 10;
const PER_ROUND = 100;

/** An event and an answer both lead to another state. Who is not in memory is read from its history first. */
export async function measureRates(rig: Rig, cached: boolean, report: (line: string) => void): Promise<Rates> {
  const side = rig.reeveApart(ALL_CACHED);
  await side.worker.start();
  report(`answers to those waiting in a state, ${cached ? 'all' : 'none'} in memory`);
  const resting = await assemble(side, 'at rest', 'rests', ROUNDS * PER_ROUND);
  const waiting = await assemble(side, 'waiting in a state', 'waits', ROUNDS * PER_ROUND);
  await untilRested(side.worker);
  if (!cached) await replaceWorker(side);
  const rounds: { readonly events: number; readonly answers: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const some = <T>(all: readonly T[]) => all.slice(round * PER_ROUND, (round + 1) * PER_ROUND);
    const events = () => inTurn(some(resting.keys), (key) => side.shut(key));
    const answers = () => inTurn(some(waiting.keys), (key) => side.answer(waiting.tokens.get(key)!, 1));
    // Each is the first one as often as the other.
    const before = round % 2 === 0 ? await events() : undefined;
    const answered = await answers();
    rounds.push({ events: before ?? (await events()), answers: answered });
  }
  await side.clear();
  return {
    cached,
    events: spread(rounds.map(({ events }) => events)),
    answers: spread(rounds.map(({ answers }) => answers)),
    ratio: spread(rounds.map(({ events, answers }) => answers / events)),
  };
}
