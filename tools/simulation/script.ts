import type { AnyImplementation } from '../../src/definition/index.js';
import { raisedAt } from '../../src/protocol/request-id.js';
import { Rejected } from '../../src/protocol/errors.js';
import type { Random, Simulation } from '../../src/simulation/index.js';
import { EVENTS } from './machine.js';
import { operate } from './operator.js';
import { requestCount } from './request-count.js';

/** The holds of people's requests, in milliseconds. */
const HOLDS_MS = [1, 500, 5_000];

/** After so many steps people only wait for the end. A machine that does something all the time is seen by then. */
const MANY_STEPS = 20_000;
/** How much time passes at once at most, in milliseconds. */
const PIECE_MS = 10_000;

/** Plays what people do with generated machines: they create, raise and repeat, many at once, at random times. */
export async function playScript(
  sim: Simulation,
  { random, operator }: { readonly random: Random; readonly operator: Random },
  implementations: readonly AnyImplementation[],
  name = 'script',
): Promise<void> {
  const underWay: Promise<unknown>[] = [];
  const oversee = () =>
    underWay.push(...operate(sim, operator, implementations).map((each) => each.then(undefined, onlyRejected)));
  const done: Request[] = [];
  const ids: string[] = [];
  for (let count = requestCount(random), number = 1; number <= count; number++) {
    const id = idOf(sim, name, number);
    ids.push(id);
    const request =
      done.length > 0 && random.chance(0.15)
        ? random.pick(done)
        : someRequest(sim, random, implementations, id, number);
    done.push(request);
    underWay.push(request().then(undefined, onlyRejected));
    if (random.chance(0.1)) await sim.cancel(random.pick(ids));
    if (random.chance(0.05)) await terminateOne(sim, random, implementations);
    oversee();
    if (random.chance(0.7)) terminateSealing(sim, random, implementations);
    if (random.chance(0.6)) await pass(sim, random.pick([1, 50, 500, 5_000, 60_000, 600_000]));
  }
  // Anything that works at random may have used up its attempts by now.
  for (let rounds = operator.below(3); rounds > 0; rounds--) {
    await pass(sim, 60_000);
    oversee();
  }
  // The same requests come again much later.
  if (random.chance(0.3)) {
    await pass(sim, 3_600_000);
    for (const request of done) underWay.push(request().then(undefined, onlyRejected));
  }
  for (const result of await Promise.all(underWay)) if (result instanceof Error) throw result;
}

/** Lets time pass, in milliseconds, unless too much happens in it. */
async function pass(sim: Simulation, timeMs: number): Promise<void> {
  const until = sim.now + timeMs;
  while (sim.now < until && sim.steps < MANY_STEPS) await sim.advance(Math.min(PIECE_MS, until - sim.now));
}

/** The request id with a number. Half of the ids carry their time. */
function idOf(sim: Simulation, name: string, number: number): string {
  return number % 2 === 0 ? `${name}-${number}` : raisedAt(`${name}-${number}`, sim.now);
}

/**
 * Ends an entity by force, as an operator does: mostly one that others watch. Sometimes somebody creates it again before this is
 * noticed, and the entities that watched it turn to the new one.
 */
async function terminateOne(
  sim: Simulation,
  random: Random,
  implementations: readonly AnyImplementation[],
): Promise<void> {
  const living = implementations.flatMap(({ entity }) =>
    ['a', 'b'].filter((key) => sim.exists(entity, key)).map((key) => ({ entity, key })),
  );
  const watched = living.filter(({ entity, key }) => sim.read(entity, key).watchers.length > 0);
  if (living.length === 0) return;
  const { entity, key } = random.pick(watched.length > 0 && random.chance(0.8) ? watched : living);
  const { watchers } = sim.read(entity, key);
  sim.terminate(entity, key);
  if (!random.chance(0.5)) return;
  const again = [
    sim.create(entity, key, 'begin'),
    ...watchers.map(({ type, key: by }) => {
      const watcher = implementations.find((each) => each.entity.name === type)!.entity;
      return sim.raise(watcher, by, random.pick(['go', 'change', 'turn']));
    }),
  ];
  for (const failed of await Promise.all(again.map((each) => each.then(undefined, onlyRejected)))) {
    if (failed instanceof Error) throw failed;
  }
}

/**
 * Ends an entity that has sealed what it has reserved, and has not raised its events yet. Sometimes its history goes too, so that
 * the keeper does not tell.
 */
function terminateSealing(sim: Simulation, random: Random, implementations: readonly AnyImplementation[]): void {
  for (const { entity } of implementations) {
    for (const key of ['a', 'b']) {
      if (!sim.exists(entity, key) || !sim.read(entity, key).running?.seals) continue;
      sim.terminate(entity, key, { untold: random.chance(0.5) });
      return;
    }
  }
}

type Request = () => Promise<unknown>;

function someRequest(
  sim: Simulation,
  random: Random,
  implementations: readonly AnyImplementation[],
  requestId: string,
  number: number,
): Request {
  // The first types turn to the others, so most happens when people turn to the first ones.
  const { entity } = random.chance(0.6) ? implementations[0]! : random.pick(implementations);
  const key = random.chance(0.7) ? 'a' : 'b';
  const event = random.chance(0.8) ? random.pick(['go', 'change', 'turn']) : random.pick(EVENTS);
  if (number === 1) return () => sim.create(entity, key, 'begin', { requestId });
  switch (random.below(6)) {
    case 0:
      return () => sim.create(entity, key, 'begin', { requestId });
    case 1:
    case 2:
    case 3: {
      const hold = number % 2 === 0 ? { holdMs: HOLDS_MS[number % HOLDS_MS.length]! } : {};
      return () => sim.raise(entity, key, event, { requestId, ...hold });
    }
    case 4: {
      const events = [event, 'go', random.pick(EVENTS)];
      const batch = events.map((each, index) => ({ id: requestId.replace('-', `-${index}-`), event: each }));
      return () => sim.raiseAll({ type: entity.name, key }, batch);
    }
    default:
      return async () => {
        if (sim.exists(entity, key)) await sim.signal(entity, key, event);
      };
  }
}

/** Takes a rejection as an answer like any other. Another error is told when all requests have ended. */
function onlyRejected(thrown: unknown): unknown {
  return thrown instanceof Rejected ? undefined : thrown;
}
