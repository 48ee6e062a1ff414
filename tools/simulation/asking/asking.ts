import {
  fakeResource,
  InvariantViolated,
  Random,
  ResourceError,
  simulate,
  type Simulation,
} from '../../../src/simulation/index.js';
import { Rejected } from '../../../src/protocol/errors.js';
import { someFaults, someRest } from '../faults.js';
import { errand, Errand, outside } from './errand.js';
import { crowd, survey, Survey, type Question } from './survey.js';
import { surveyProblem } from './survey-problem.js';

type Fakes = Parameters<typeof fakeResource<typeof outside>>[1];
type Answer = Parameters<Fakes['consult']>[1]['answer'];

/** One simulation of some who ask outside. A1, A2 @throws InvariantViolated */
export async function simulateAsking(seed: number): Promise<Simulation> {
  const random = new Random(seed ^ 0xa5c);
  const chance = new Random(seed ^ 0xca11);
  const fakes = fakeResource(outside, {
    consult: ({ part }, { answer }) => someAnswers(chance, part, answer),
    book: () => {
      if (chance.chance(0.2)) throw new ResourceError('closed', 'The books are closed.');
      return {};
    },
  });
  const sayings = fakeResource(crowd, {
    write: ({ part }, { answer }) => someAnswers(chance, part, answer),
    phone: ({ part }) => saidAtOnce(chance, part),
    glance: ({ part }) => saidAtOnce(chance, part),
  });
  const resources = [fakes, sayings];
  const sim = simulate([errand, survey], { ...{ seed, faults: someFaults(random), resources }, ...someRest(random) });
  const keys = Array.from({ length: 1 + random.below(4) }, (_, index) => `errand${index}`);
  for (const key of keys) await sim.create(Errand, key, 'begin', { parts: random.below(4) });
  for (let count = random.below(8); count > 0; count--) {
    await sim.advance(random.pick(['200ms', '5s', '30s', '2m']));
    const event = random.pick(['again', 'recheck', 'stop', 'recheck'] as const);
    await sim.raise(Errand, random.pick(keys), event).catch((thrown: unknown) => {
      if (!(thrown instanceof Rejected)) throw thrown;
    });
  }
  await askMany(sim, seed);
  await sim.settle();
  for (const key of keys) mustBeTrue(sim, seed, key);
  for (const key of SURVEYS) mustBeCollected(sim, seed, key);
  return sim;
}

const SURVEYS = ['survey0', 'survey1'];

/** Surveys ask many at once, and are told to stop now and then. A3 */
async function askMany(sim: Simulation, seed: number): Promise<void> {
  const random = new Random(seed ^ 0x50f);
  for (const key of SURVEYS) await sim.create(Survey, key, 'open');
  for (let count = 1 + random.below(4); count > 0; count--) {
    const key = random.pick(SURVEYS);
    await sim.raise(Survey, key, 'ask', someQuestion(random));
    for (const pause of random.pick([['50ms'], ['50ms', '950ms'], ['1s', '19s'], ['1s', '1m']] as const)) {
      await sim.advance(pause);
      for (const each of SURVEYS) mustBeBounded(sim, seed, each);
    }
    if (random.chance(0.2)) await sim.raise(Survey, key, 'stop');
  }
}

function someQuestion(random: Random): Question {
  const ways = Array.from({ length: random.below(7) }, () =>
    random.pick(['write', 'write', 'phone', 'glance'] as const),
  );
  return {
    ways,
    rule: random.pick(['all', 'first', 'deadline', { answers: 1 + random.below(4) }] as const),
    atOnce: random.pick([1, 2, 100]),
    none: random.pick(['fail', 'empty'] as const),
    ...(random.chance(0.5) && { several: random.pick(['first', 'fail', 'last'] as const) }),
  };
}

function saidAtOnce(chance: Random, part: number): { readonly said: number } {
  if (chance.chance(0.3)) throw new ResourceError('busy', 'Nobody answers.');
  return { said: part };
}

/** No more is asked at once than the survey allows. */
function mustBeBounded(sim: Simulation, seed: number, key: string): void {
  const { running } = sim.read(Survey, key);
  const asked = running?.awaits?.length ?? 0;
  const { atOnce } = (running?.params ?? { atOnce: Infinity }) as Question;
  if (asked <= atOnce) return;
  const problem = `${key} waits for ${asked} answers at once, and was to ask ${atOnce}`;
  throw new InvariantViolated({
    invariant: 'a collector asks so many at once',
    problem,
    seed,
    step: sim.steps,
    trace: sim.trace,
  });
}

function mustBeCollected(sim: Simulation, seed: number, key: string): void {
  const { properties, running } = sim.read(Survey, key);
  const { question, outcome } = properties as { question?: Question; outcome?: Parameters<typeof surveyProblem>[1] };
  const problem = running ? 'it goes on' : question && outcome && surveyProblem(question, outcome);
  if (problem === undefined) return;
  const said = `${key}: ${problem}. Asked: ${JSON.stringify(question)}, outcome: ${JSON.stringify(outcome)}`;
  throw new InvariantViolated({
    invariant: 'a collector decides by its rule',
    problem: said,
    seed,
    step: sim.steps,
    trace: sim.trace,
  });
}

/** What an errand has noted was said for the part that it had asked about. */
function mustBeTrue(sim: Simulation, seed: number, key: string): void {
  const { properties, state } = sim.read(Errand, key);
  const { said, parts } = properties as { readonly said: readonly number[]; readonly parts: number };
  const right = said.every((each, part) => each === 9 || each === part) && (said.length === parts || said.length <= 1);
  if (right && (state === 'Done' || state === 'Failed')) return;
  const problem = `${key} is ${state}, and has noted ${JSON.stringify(said)} for ${parts} parts`;
  throw new InvariantViolated({ invariant: 'answers are true', problem, seed, step: sim.steps, trace: sim.trace });
}

/** Those outside answer soon, late, twice, otherwise, wrongly, or never. */
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
