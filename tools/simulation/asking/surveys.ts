import { InvariantViolated, Random, ResourceError, type Simulation } from '../../../src/simulation/index.js';
import { Survey, type Question } from './survey.js';
import { surveyProblem } from './survey-problem.js';

const SURVEYS = ['survey0', 'survey1'];

/** Surveys ask many at once, and are told to stop now and then. A3 */
export async function askMany(sim: Simulation, seed: number): Promise<void> {
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

/** Gives what one says who is asked by an activity, or inline. */
export function saidAtOnce(chance: Random, part: number): { readonly said: number } {
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

/** Checks what the surveys have collected. */
export function mustHaveCollected(sim: Simulation, seed: number): void {
  for (const key of SURVEYS) mustBeCollected(sim, seed, key);
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
