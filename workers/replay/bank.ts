import { setTimeout as delay } from 'node:timers/promises';
import { Account, Transfer } from './entities/definitions.js';
import { patiently } from './patience.js';
import type { Rig } from './rig.js';

const ACCOUNTS = 5;
const TRANSFERS = 100;
const OPENED_WITH = 1_000;
const LEASE = '1s';
const KILL_EVERY_MS = 7_000;
/** A worker that is killed holds its tasks for some seconds, so that what waits for others may take a while. */
const ALL_END_WITHIN_MS = 600_000;

/**
 * A hundred transfers between five accounts at once, with leases of a second, and a hundred more while the worker is killed every
 * seven seconds: all end, each is whole or has failed, and the sum is right. S3.6
 */
export async function useBank(rig: Rig, round: number): Promise<readonly string[]> {
  const { reeve, workers } = rig;
  const account = (index: number) => `bank${round}-${index % ACCOUNTS}`;
  const perform = async (key: string, number: number) => {
    const move = {
      from: account(number),
      to: account(number + 1 + (number % (ACCOUNTS - 1))),
      amount: 1 + (number % 7),
      lease: LEASE,
    };
    const taken = await patiently(key, () => reeve.create(Transfer, key, 'move', move), ALL_END_WITHIN_MS);
    const { outcome } = await patiently(key, () => reeve.operations.result(taken), ALL_END_WITHIN_MS);
    const { snapshot } = await patiently(key, () => reeve.read({ type: 'Transfer', key }));
    return { ...move, outcome, state: snapshot.state };
  };
  /** A hundred at once: what came of each, and how long each took, in seconds. */
  const many = async (name: string) => {
    const since = Date.now();
    const numbers = Array.from({ length: TRANSFERS }, (_, number) => number);
    const ended = await Promise.allSettled(numbers.map((number) => perform(`${name}${number}`, number)));
    return { ended, each: ((Date.now() - since) / TRANSFERS / 1_000).toFixed(2) };
  };
  await workers.start();
  for (let index = 0; index < ACCOUNTS; index++) {
    const taken = await reeve.create(Account, account(index), 'open', { balance: OPENED_WITH });
    await patiently(account(index), () => reeve.operations.result(taken));
  }
  const aloneSince = Date.now();
  const alone = await perform(`bank${round}-alone`, 0);
  const aloneMs = Date.now() - aloneSince;

  const undisturbed = await many(`bank${round}-u`);
  const over = new AbortController();
  const killing = (async () => {
    for (;;) {
      await delay(KILL_EVERY_MS, undefined, { signal: over.signal });
      await workers.end('SIGKILL');
      await workers.start();
    }
  })().catch(() => undefined);
  const killed = await many(`bank${round}-t`);
  over.abort();
  await killing;
  const ended = [...undisturbed.ended, ...killed.ended];

  const problems = ended.flatMap((each) =>
    each.status === 'rejected' ? [`a transfer did not end: ${each.reason}`] : [],
  );
  const moved = new Map<string, number>();
  const all = [alone, ...ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))];
  for (const { from, to, amount, outcome, state } of all) {
    if ((outcome === 'success') !== (state === 'Done'))
      problems.push(`a transfer is ${state}, and its operation ${outcome}`);
    if (state !== 'Done') continue;
    moved.set(from, (moved.get(from) ?? 0) - amount);
    moved.set(to, (moved.get(to) ?? 0) + amount);
  }
  for (let index = 0; index < ACCOUNTS; index++) {
    const key = account(index);
    const { snapshot } = await patiently(key, () => reeve.read({ type: 'Account', key }));
    const expected = OPENED_WITH + (moved.get(key) ?? 0);
    const { balance } = snapshot.properties;
    if (balance !== expected)
      problems.push(`${key} holds ${String(balance)} instead of ${expected}: a transfer is torn`);
  }
  await workers.end('SIGTERM');
  const done = all.filter(({ state }) => state === 'Done').length;
  console.log(
    `     ${done} of ${all.length} transfers done; one alone ${(aloneMs / 1_000).toFixed(2)} s, ` +
      `each of many ${undisturbed.each} s, and ${killed.each} s while the worker is killed`,
  );
  return problems;
}
