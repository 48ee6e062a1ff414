import { setTimeout as delay } from 'node:timers/promises';
import type { DistributedOperations } from '../../src/client/distributed.js';
import { nameOf } from '../../src/distributed/index.js';
import { patiently } from '../replay/patience.js';
import { TARGET, type Field } from './field.js';

/** Within this time no statement begins any more, in milliseconds. I5 */
const WITHIN_MS = 1_000;
/** For how long is looked whether one does. */
const LOOK_MS = 3_000;

/** Pauses, limits and cancels an operation, and says what begins too late or is left afterwards. */
export async function steer(
  distributed: DistributedOperations,
  { pool }: Field,
  rows: number,
): Promise<readonly string[]> {
  const problems: string[] = [];
  const ref = await patiently('start', () => distributed.start('stamp', TARGET, { mark: 'steered', rows }));
  const done = async () => {
    const text = 'select coalesce(sum(times), 0)::int done from stamped where instance = $1';
    return (await pool.query<{ readonly done: number }>(text, [nameOf(ref)])).rows[0]!.done;
  };
  const untilItWorks = async () => {
    for (const before = await done(); (await done()) <= before;) await delay(100);
  };
  const mustStand = async (after: string) => {
    await delay(WITHIN_MS);
    const before = await done();
    await delay(LOOK_MS);
    const more = (await done()) - before;
    if (more > 0) problems.push(`${more} rows were stamped later than a second after ${after}`);
  };
  await untilItWorks();
  await distributed.pause(ref);
  await mustStand('a pause');
  await distributed.limit(ref, { atOnce: 1 });
  await distributed.resume(ref);
  await untilItWorks();
  const { lanes } = await distributed.read(ref);
  if (lanes.length > 1) problems.push(`${lanes.length} lanes run, and one may`);
  await distributed.limit(ref, { atOnce: 6 });
  await untilItWorks();
  await distributed.limit(ref, { atOnce: 1 });
  await delay(WITHIN_MS);
  const limited = await distributed.read(ref);
  if (limited.lanes.length > 1) problems.push(`${limited.lanes.length} lanes run a second after the limit of one`);
  await distributed.limit(ref, { atOnce: 6 });
  await untilItWorks();
  await distributed.cancel(ref, 'it was tried');
  await mustStand('a cancel');
  const { outcome } = await patiently('result', () => distributed.result(ref));
  if (outcome !== 'cancelled') problems.push(`what was cancelled has ${outcome}`);
  if ((await done()) > 0) problems.push(`${await done()} stamps are left of what was cancelled`);
  return problems;
}
