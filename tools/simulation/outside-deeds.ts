import type { ActionContext, AnswerAddress, AnyEntity } from '../../src/definition/index.js';
import { ResourceError, type fakeResource, type Random } from '../../src/simulation/index.js';
import { things } from './things.js';

/** Something that a generated action asks of those outside, who answer late, twice, wrongly, or never. A1, A3 */
export type OutsideDeed =
  | { readonly kind: 'consult'; readonly part: number; readonly together: number }
  | {
      readonly kind: 'collect';
      readonly ways: readonly ('consult' | 'make' | 'glance')[];
      readonly until: 'all' | 'first' | 'deadline' | { readonly answers: number };
      readonly atOnce: number;
    };

/** The part about which a collector asks first. No other deed asks about these. */
const FIRST = 60;

type AnyContext = ActionContext<AnyEntity, string>;
type AnswerAt = Parameters<Parameters<typeof fakeResource<typeof things>>[1]['tell']>[1]['answerAt'];
type Answer = Parameters<Parameters<typeof fakeResource<typeof things>>[1]['consult']>[1]['answer'];

/** The deeds with some that ask outside. They come first, so that no reservation has to outlast them. */
export function withOutsideDeeds<D>(random: Random, deeds: readonly D[]): readonly (D | OutsideDeed)[] {
  const outside: OutsideDeed[] = [];
  if (random.chance(0.15)) outside.push({ kind: 'consult', part: 50, together: 1 + random.below(2) });
  if (random.chance(0.15)) {
    outside.push({
      kind: 'collect',
      ways: Array.from({ length: random.below(5) }, () =>
        random.pick(['consult', 'consult', 'make', 'glance'] as const),
      ),
      until: random.pick(['all', 'first', 'deadline', { answers: 2 }] as const),
      atOnce: random.pick([1, 2, 100]),
    });
  }
  return [...outside, ...deeds];
}

/** Asks outside, and notes what was answered by somebody else, or in another place. */
export async function askOutside(deed: OutsideDeed, app: AnyContext): Promise<void> {
  const { key: name } = app;
  if (deed.kind === 'consult') {
    const parts = Array.from({ length: deed.together }, (_, index) => deed.part + index);
    const said = await Promise.all(parts.map((part) => app.call(things.consult, { name, part })));
    if (said.some(({ made }, place) => made !== parts[place]))
      note(app, `asked ${String(parts)}: ${JSON.stringify(said)}`);
    return;
  }
  const { ways, until, atOnce } = deed;
  const calls = ways.map((way, place) => [things[way], { name, part: FIRST + place }] as const);
  const { results, answers } = await app.collect(calls, { until, within: '20s', atOnce, none: 'empty' });
  const wrong = results.some((result, place) => result.status === 'answered' && result.output.made !== FIRST + place);
  const wanted =
    until === 'first' ? 1 : until === 'all' ? ways.length : until === 'deadline' ? Infinity : until.answers;
  if (wrong || results.length !== ways.length || answers.length > wanted)
    note(app, `collected ${JSON.stringify(results)} by ${JSON.stringify(deed)}`);
}

function note(app: AnyContext, misheard: string): void {
  Object.assign(app.properties, { misheard });
}

/** Answers at an address: before the action has ended, later, twice, after its time, or never. */
export function tellSomehow(chance: Random, at: AnswerAddress, answerAt: AnswerAt): Record<string, never> {
  const afterMs = chance.pick([0, 0, 10, 20_000, 400_000, 700_000]) + chance.below(2_000);
  if (chance.chance(0.2)) return {};
  answerAt(at, { output: {} }, afterMs);
  if (chance.chance(0.2)) answerAt(at, { output: {} }, afterMs + chance.below(90_000));
  return {};
}

/** Answers soon, late, twice, twice differently, wrongly, or never. */
export function answerSomehow(chance: Random, part: number, answer: Answer): void {
  const afterMs = chance.pick([0, 10, 1_000, 15_000, 29_000]) + chance.below(2_000);
  const right = { output: { made: part } };
  switch (chance.below(8)) {
    case 0:
      return;
    case 1:
      return answer({ error: { code: 'refused', message: 'not today' } }, afterMs);
    case 2:
      answer(right, afterMs);
      return answer(right, afterMs + chance.below(90_000));
    case 3:
      answer(right, afterMs);
      return answer({ output: { made: -1 } }, afterMs + 1 + chance.below(90_000));
    case 4:
      return answer({ output: { made: 'nothing' } } as never, afterMs);
    case 5:
      answer(right);
      throw new ResourceError('unheard', 'It is not known whether anybody was asked.');
    default:
      return answer(right, afterMs);
  }
}
