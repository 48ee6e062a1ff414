import {
  fakeResource,
  InvariantViolated,
  Random,
  ResourceError,
  simulate,
  type Simulation,
} from '../../../src/simulation/index.js';
import { Rejected } from '../../../src/protocol/errors.js';
import { EXTEND_EVENT, REVOKE_EVENT } from '../../../src/protocol/names.js';
import { someFaults, someRest } from '../faults.js';
import { errand, Errand, outside } from './errand.js';
import { relays } from './relays.js';
import { crowd, survey } from './survey.js';
import { askMany, mustHaveCollected, saidAtOnce } from './surveys.js';

type Fakes = Parameters<typeof fakeResource<typeof outside>>[1];
type Answer = Parameters<Fakes['consult']['ask']>[1]['answer'];

/** Runs one simulation of entities that ask outside. A1, A2 @throws InvariantViolated */
export async function simulateAsking(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0xa5c);
  const chance = new Random(seed ^ 0xca11);
  const overseer = new Random(seed ^ 0x09e7);
  /** Where each has booked last. */
  const booked = new Map<string, string>();
  let misplaced: string | undefined;
  const fakes = fakeResource(outside, {
    consult: {
      ask: ({ part }, { answer }) => someAnswers(chance, part, answer),
      withdraw: () => undefined,
    },
    book: ({ name }, { affinity }) => {
      if (chance.chance(0.2)) throw new ResourceError('closed', 'The books are closed.');
      booked.set(name, affinity().worker);
      return { at: affinity() };
    },
    file: ({ name }, { affinity }) => {
      const { worker } = affinity();
      if (booked.get(name) !== worker)
        misplaced ??= `${name} has booked at ${booked.get(name)}, and files at ${worker}`;
      return {};
    },
  });
  const sayings = fakeResource(crowd, {
    write: {
      ask: ({ part }, { answer }) => someAnswers(chance, part, answer),
      withdraw: () => undefined,
    },
    phone: ({ part }) => saidAtOnce(chance, part),
    glance: ({ part }) => saidAtOnce(chance, part),
  });
  const relayed = relays(seed);
  const resources = [fakes, sayings, relayed.resource];
  const sim = simulate([errand, survey, ...relayed.implementations], {
    ...{ seed, faults: someFaults(random), resources },
    ...someRest(random),
  });
  const keys = Array.from({ length: 1 + random.below(4) }, (_, index) => `errand${index}`);
  for (const key of keys) await sim.create(Errand, key, 'begin', { parts: random.below(4) });
  for (let count = random.below(8); count > 0; count--) {
    await sim.advance(random.pick(['200ms', '5s', '30s', '2m']));
    const event = random.pick(['again', 'recheck', 'stop', 'recheck'] as const);
    await sim.raise(Errand, random.pick(keys), event).catch(unlessRejected);
    if (overseer.chance(0.3)) await oversee(sim, overseer, overseer.pick(keys)).catch(unlessRejected);
  }
  await askMany(sim, seed);
  const mustHaveRelayed = await relayed.run(sim);
  await sim.settle();
  for (const key of keys) mustBeTrue(sim, seed, key);
  if (misplaced !== undefined) throw violation(sim, seed, 'a bound call runs on its worker', misplaced);
  mustHaveCollected(sim, seed);
  mustHaveRelayed();
  return sim;
}

/** An operator puts the time of a question off, or gives it up. */
async function oversee(sim: Simulation, overseer: Random, key: string): Promise<void> {
  const { callbacks = [] } = sim.read(Errand, key);
  if (callbacks.length === 0) return;
  const { id: callback, until } = overseer.pick(callbacks);
  if (overseer.chance(0.3)) await sim.raiseAny(Errand, key, REVOKE_EVENT, { params: { callback } });
  else await sim.raiseAny(Errand, key, EXTEND_EVENT, { params: { callback, until: until + overseer.below(60_000) } });
}

function unlessRejected(thrown: unknown): void {
  if (!(thrown instanceof Rejected)) throw thrown;
}

/** Checks that each answer that an errand has noted was given for the part about which it had asked. */
function mustBeTrue(sim: Simulation, seed: number, key: string): void {
  const { properties, state } = sim.read(Errand, key);
  const { said, parts } = properties as { readonly said: readonly number[]; readonly parts: number };
  const right = said.every((each, part) => each === 9 || each === part) && (said.length === parts || said.length <= 1);
  if (right && (state === 'Done' || state === 'Failed')) return;
  const problem = `${key} is ${state}, and has noted ${JSON.stringify(said)} for ${parts} parts`;
  throw violation(sim, seed, 'answers are true', problem);
}

function violation(sim: Simulation, seed: number, invariant: string, problem: string): InvariantViolated {
  return new InvariantViolated({ invariant, problem, seed, step: sim.steps, trace: sim.trace });
}

/** Answers soon, late, twice, twice differently, wrongly, or never. */
function someAnswers(chance: Random, part: number, answer: Answer): void {
  const afterMs = chance.below(20_000);
  const right = { output: { said: part } };
  switch (chance.below(9)) {
    case 0:
      return;
    case 1:
      return answer({ error: { code: 'refused', message: 'not today' } }, afterMs);
    case 2:
      answer(right, afterMs);
      return answer(right, afterMs + chance.below(90_000));
    case 3:
      answer(right, afterMs);
      return answer({ output: { said: 1_000 } }, afterMs + 1 + chance.below(90_000));
    case 4:
      return answer(right, 50_000 + chance.below(30_000));
    case 5:
      return answer({ output: { said: 'nothing' } } as never, afterMs);
    case 6:
      throw new ResourceError('unheard', 'It is not known whether anybody was asked.');
    case 7:
      answer(right);
      throw new ResourceError('unheard', 'It is not known whether anybody was asked.');
    default:
      return answer(right, afterMs);
  }
}
