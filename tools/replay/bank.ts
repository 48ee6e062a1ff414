import { setTimeout as delay } from 'node:timers/promises';
import { Account, Transfer } from './entities/definitions.js';
import { patiently } from './patience.js';
import type { Rig } from './rig.js';

const ACCOUNTS = 5;
const TRANSFERS = 100;
/** How many transfers are made one after the other, to compare with. */
const IN_TURN = 20;
const OPENED_WITH = 1_000;
const LEASE = '1s';
const KILL_EVERY_MS = 7_000;
/** How long a transfer may take: a worker that is killed holds its tasks for some seconds, so waiting for others may take long. */
const ALL_END_WITHIN_MS = 1_800_000;

/**
 * Makes a hundred transfers at once between five accounts, with leases of a second, and a hundred more while the worker is killed
 * every seven seconds. All have to end, each has to be whole or to have failed, and the sum has to be right. Some are made one
 * after the other, with and without kills, to show how long one takes alone. S3.6
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
  const ended: PromiseSettledResult<Awaited<ReturnType<typeof perform>>>[] = [];
  /** Makes `count` transfers, `atATime` at once. Gives how long each takes, in seconds. */
  const make = async (name: string, count: number, atATime: number) => {
    const since = Date.now();
    for (let first = 0; first < count; first += atATime) {
      const numbers = Array.from({ length: atATime }, (_, index) => first + index);
      const made = numbers.map((number) => perform(`bank${round}-${name}${number}`, number));
      ended.push(...(await Promise.allSettled(made)));
    }
    return (Date.now() - since) / count / 1_000;
  };
  await workers.start();
  for (let index = 0; index < ACCOUNTS; index++) {
    const taken = await reeve.create(Account, account(index), 'open', { balance: OPENED_WITH });
    await patiently(account(index), () => reeve.operations.result(taken));
  }
  const makeAll = async (name: string) => {
    const alone = await make(`${name}-turn`, IN_TURN, 1);
    const each = await make(`${name}-many`, TRANSFERS, TRANSFERS);
    return `one alone ${alone.toFixed(2)} s, each of many ${each.toFixed(2)} s (${(each / alone).toFixed(1)} times)`;
  };
  const undisturbed = await makeAll('calm');
  const killed = await whileKilled(workers, () => makeAll('killed'));

  const problems = ended.flatMap((each) =>
    each.status === 'rejected' ? [`a transfer did not end: ${each.reason}`] : [],
  );
  const moved = new Map<string, number>();
  const all = ended.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
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
  console.log(`     ${done} of ${all.length} transfers done: ${undisturbed}; while the worker is killed: ${killed}`);
  return problems;
}

async function whileKilled<T>(workers: Rig['workers'], run: () => Promise<T>): Promise<T> {
  const over = new AbortController();
  const killing = (async () => {
    while (!over.signal.aborted) {
      await delay(KILL_EVERY_MS, undefined, { signal: over.signal }).catch(() => undefined);
      if (over.signal.aborted) return;
      await workers.end('SIGKILL');
      await workers.start();
    }
  })();
  try {
    return await run();
  } finally {
    over.abort();
    await killing;
  }
}
