import type { Case, Figure, Values } from '../case.js';
import { median, medianInterval } from '../statistics.js';
import type { MeasuredBuild } from './measured-build.js';

/** One figure of a case, in this build and in the other one. */
export interface Difference {
  readonly case: string;
  readonly figure: string;
  readonly title: string;
  readonly unit: Figure['unit'];
  /** The medians of the rounds. */
  readonly then: number;
  readonly now: number;
  /** The value of now divided by that of then, round by round: the median, and its 90 % interval. */
  readonly ratio: { readonly median: number; readonly low: number; readonly high: number };
  /** Tells whether it is certain that now is worse by more than `WORSE`. */
  readonly worse: boolean;
}

export const DEFAULT_ROUNDS = 30;
/** By how much a figure may be worse. */
const WORSE = 0.03;

/** Measures a case in both builds in turn. Each round begins with the other build than the one before it. */
export async function compareBuilds(
  builds: { readonly then: MeasuredBuild; readonly now: MeasuredBuild },
  { name, figures }: Pick<Case, 'name' | 'figures'>,
  rounds: number,
): Promise<readonly Difference[]> {
  const pair = [builds.then, builds.now];
  const warmUps = Math.max(...(await Promise.all(pair.map((build) => build.prepare(name)))));
  for (let round = -warmUps; round < 0; round++) for (const build of pair) await build.round(round);
  const [then, now]: [Values[], Values[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    const measureThen = async () => void then.push(await builds.then.round(round));
    const measureNow = async () => void now.push(await builds.now.round(round));
    for (const measure of round % 2 === 0 ? [measureThen, measureNow] : [measureNow, measureThen]) await measure();
  }
  return figures.map((figure) => differ(name, figure, then, now));
}

function differ(name: string, { name: figure, title, unit }: Figure, then: readonly Values[], now: readonly Values[]) {
  const [before, after] = [then, now].map((rounds) => rounds.map((values) => values[figure] ?? NaN)) as [
    number[],
    number[],
  ];
  const ratios = after.map((value, round) => value / before[round]!).filter(Number.isFinite);
  const ratio = { median: median(ratios), ...medianInterval(ratios) };
  // Of rates more is better, of all else less.
  const worse = unit === '/s' ? ratio.high < 1 - WORSE : ratio.low > 1 + WORSE;
  return { case: name, figure, title, unit, then: median(before), now: median(after), ratio, worse };
}
