import {
  fakeResource,
  InvariantViolated,
  Random,
  ResourceError,
  type Simulation,
} from '../../../src/simulation/index.js';
import { Rejected } from '../../../src/protocol/errors.js';
import { echo, Relay, relayOf, Stand, STANDS, stand, type Course, type Findings } from './relay.js';

const RELAYS = ['relay0', 'relay1'];
const WAYS = ['write', 'write', 'phone', 'phone', 'glance', 'collect', 'read', 'raise', 'reserve', 'look'] as const;

/** Relays that wait for several things at once, and what was found wrong with them. A1 */
export function relays(seed: number) {
  const chance = new Random(seed ^ 0xec40);
  const findings: Findings = { wrong: undefined };
  /** The part that each key was used for. */
  const used = new Map<string, number>();
  const say = (part: number, key: string) => {
    if ((used.get(key) ?? part) !== part) findings.wrong ??= `${key} is used for ${used.get(key)} and ${part}`;
    used.set(key, part);
    if (chance.chance(0.1)) throw new ResourceError('busy', 'Nobody answers.');
    return { said: part };
  };
  const resource = fakeResource(echo, {
    write: {
      // Many answers come at the same time, in one task.
      ask: ({ part }, { answer }) => {
        if (chance.chance(0.9)) answer({ output: { said: part } }, chance.pick([0, 1_000, 1_000, 3_000, 10_000]));
      },
      withdraw: () => undefined,
    },
    phone: ({ part }, { idempotencyKey }) => say(part, idempotencyKey),
    glance: ({ part }, { idempotencyKey }) => say(part, idempotencyKey),
  });
  return {
    resource,
    implementations: [relayOf(findings), stand] as const,
    run: (sim: Simulation) => run(sim, seed, findings),
  };
}

/** Lets relays run their courses. @returns what checks them when all has settled */
async function run(sim: Simulation, seed: number, findings: Findings): Promise<() => void> {
  const random = new Random(seed ^ 0x4e1a);
  for (let number = 0; number < STANDS; number++) await sim.create(Stand, `stand${number}`, 'open', { number });
  for (const key of RELAYS) await sim.create(Relay, key, 'open');
  for (let count = 1 + random.below(3); count > 0; count--) {
    const key = random.pick(RELAYS);
    await sim.raise(Relay, key, 'run', someCourse(random)).catch(unlessRejected);
    await sim.advance(random.pick(['50ms', '1s', '10s', '1m']));
    if (random.chance(0.1)) await sim.raise(Relay, key, 'stop').catch(unlessRejected);
  }
  return () => {
    const busy = RELAYS.find((key) => sim.read(Relay, key).running);
    const problem = findings.wrong ?? (busy && `${busy} goes on`);
    if (problem === undefined) return;
    const invariant = 'results are in their places';
    throw new InvariantViolated({ invariant, problem, seed, step: sim.steps, trace: sim.trace });
  };
}

function someCourse(random: Random): Course {
  const some = <T>(most: number, one: () => T) => Array.from({ length: 1 + random.below(most) }, one);
  return {
    branches: some(4, () => some(3, () => ({ way: random.pick(WAYS), hops: random.pick([0, 0, 1, 3, 9]) }))),
    join: random.pick(['all', 'settled', 'race', 'any', 'generator'] as const),
  };
}

function unlessRejected(thrown: unknown): void {
  if (!(thrown instanceof Rejected)) throw thrown;
}
