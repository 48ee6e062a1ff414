import { fakeResource, InvariantViolated, Random, simulate, type Simulation } from '../../../src/simulation/index.js';
import { Rejected } from '../../../src/protocol/errors.js';
import { raisedAt } from '../../../src/protocol/request-id.js';
import { someFaults } from '../faults.js';
import { Auditor, BANK, books, Purse, Transfer, Watcher } from './bank.js';

/** One of this many simulations has a purse to which something is always under way. It takes as long as a hundred others. */
const BUSY = 128;
/** One of this many simulations has an operator who ends a transfer that seals. */
const ENDED = 8;

/** One of this many has purses that remember little, a store that is often away, and auditors that do not wait for long. */
const FORGETFUL = 8;
/** One of this many has leases that end now and then before their transfer is done. */
const SHORT = 4;

/** Nothing that a purse is asked takes so long, in milliseconds. What waits longer waits for ever, or until its limit. */
const LONGEST_MS = 3 * 3_600_000;

/** Runs one simulation of many entities that wait for the same few purses. @throws InvariantViolated */
export async function simulateCrowd(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0xc20d);
  const busy = seed % BUSY === 8;
  const ends = seed % ENDED === 1;
  const lease = seed % SHORT === 2 ? '1s' : '12h';
  const forgets = seed % FORGETFUL === 3;
  // Delays are frequent here, so that what is under way lasts long enough to be met.
  const faults = {
    ...someFaults(random),
    ...(busy && { delay: 0.6, rollOver: 0.1 }),
    ...(ends && { delay: 0.5 }),
    ...(forgets && { delay: 0.5, away: 0.4 }),
  };
  const sim = simulate(BANK, {
    ...{ seed, faults, resources: [fakeResource(books, { check: () => ({}) })] },
    ...(forgets && { ledgerSizes: { recent: 1, group: 1, block: 1, blocks: 1 } }),
  });

  const startedAt = sim.now;
  const purses = named('purse', 1 + random.below(4));
  for (const key of purses) await sim.create(Purse, key, 'open', { balance: 100 });
  if (forgets) for (const key of purses) await raiseAhead(sim, key);
  const transfers = named('transfer', 2 + random.below(10));
  for (const key of transfers) {
    const from = random.pick(purses);
    const others = purses.filter((each) => each !== from);
    const to = others.length > 0 ? random.pick(others) : from;
    await sim.create(Transfer, key, 'start', { from, to, amount: 1, lease });
  }
  const auditors = named('auditor', random.below(4));
  for (const key of auditors) await sim.construct(Auditor, key, {});
  for (const key of auditors) {
    const some = (names: readonly string[]) => names.filter((name) => name !== key && random.chance(0.5));
    const asked = {
      ...{ transfers: some(transfers), auditors: some(auditors), purses: some(purses) },
      ...(forgets && { withinMs: 10_000 }),
    };
    await untilTaken(sim, (requestId) => sim.raise(Auditor, key, 'audit', asked, { requestId }), `audit of ${key}`);
  }
  if (busy) await keepBusy(sim);
  if (ends) await endSealing(sim, transfers);
  await sim.settle();
  if (sim.now - startedAt > LONGEST_MS) throw tooLong(sim, seed, startedAt);
  return sim;
}

/**
 * Raises events by a caller whose clock is an hour ahead. When the purse has forgotten these, only the store can tell whether the
 * requests of others are new.
 */
async function raiseAhead(sim: Simulation, key: string): Promise<void> {
  for (const name of named(`ahead on ${key} `, 5)) {
    const id = raisedAt(name, sim.now + 3_600_000);
    await untilTaken(sim, (requestId) => sim.raise(Purse, key, 'add', { amount: 0 }, { requestId }), id);
  }
}

/** Raises until it is taken. The store may be away, and then a caller is told to try again. */
async function untilTaken(sim: Simulation, raise: (id: string) => Promise<unknown>, id: string): Promise<void> {
  for (;;) {
    try {
      await raise(id);
      return;
    } catch (thrown) {
      if (!(thrown instanceof Rejected) || thrown.rejection.code !== 'try_again') throw thrown;
      await sim.advance('5s');
    }
  }
}

function tooLong({ now, steps, trace }: Simulation, seed: number, startedAt: number): InvariantViolated {
  const problem = `it took ${(now - startedAt) / 1_000} s of virtual time`;
  return new InvariantViolated({ invariant: 'nobody waits until a limit', problem, seed, step: steps, trace });
}

/** Reads the first purse so often that an answer of it is always under way, for longer than a long run may last. */
async function keepBusy(sim: Simulation): Promise<void> {
  for (const key of named('watcher', 20)) await sim.create(Watcher, key, 'watch', { purse: 'purse0', times: 60 });
  await sim.advance('2m');
}

/**
 * Ends a transfer, as an operator does, that has sealed its purses and has not raised its events yet. The keeper does not tell,
 * so the purses have to find it themselves.
 */
async function endSealing(sim: Simulation, transfers: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    await sim.advance('20ms');
    const sealing = transfers.find((key) => sim.exists(Transfer, key) && sim.read(Transfer, key).running?.seals);
    if (sealing === undefined) continue;
    return sim.terminate(Transfer, sealing, { untold: true });
  }
}

function named(name: string, count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `${name}${index}`);
}
