import { WITHIN_MS, type Question } from './survey.js';

interface Outcome {
  readonly code: string;
  readonly each: readonly (number | string)[];
  readonly answers: readonly number[];
  readonly tookMs: number;
}

/** Tells what is wrong with what a survey has collected, or gives `undefined`. A3 */
export function surveyProblem(
  { ways, rule, none, several }: Question,
  { code, each, answers, tookMs }: Outcome,
): string | undefined {
  if (each.length !== ways.length) return `${ways.length} were asked, and ${each.length} results are there`;
  const said = (place: number) => place * 2 + (place % 3 === 2 ? 1 : 0);
  const misplaced = each.findIndex((one, place) => typeof one === 'number' && one !== said(place));
  if (misplaced >= 0) return `call ${misplaced} is said to have answered ${each[misplaced]}`;
  const counted = each.filter((one): one is number => typeof one === 'number' && one % 2 === 0);
  const wanted =
    { all: ways.length, first: 1, deadline: Infinity }[rule as 'all'] ?? (rule as { answers: number }).answers;
  if (counted.length > wanted) return `${wanted} answers were wanted, and it has waited for ${counted.length}`;
  const superseded = each.filter((one) => one === 'superseded').length;
  const possible = counted.length + superseded;
  const isMet = counted.length >= wanted;
  if (superseded > 0 && !isMet && (wanted === Infinity || possible >= wanted)) {
    return `it ended with ${counted.length} of ${wanted} answers, and ${superseded} could still come`;
  }
  const late = each.includes('call_timed_out') && tookMs >= WITHIN_MS;
  if (late && isMet) return 'it was decided, and went on waiting';
  if (tookMs > WITHIN_MS + 5_000) return `it took ${tookMs} ms, and was to take ${WITHIN_MS}`;
  const required = wanted === Infinity ? 0 : wanted;
  const rightCode =
    counted.length === 0 && (required > 0 || ways.length > 0)
      ? none === 'empty'
        ? ''
        : 'no_answer'
      : counted.length < required
        ? 'too_few_answers'
        : several === 'fail' && counted.length > 1
          ? 'several_answers'
          : '';
  if (code !== rightCode) return `it ended with '${code}', and '${rightCode}' is right`;
  const chosen =
    several === 'first' && counted.length > 1 ? counted.slice(0, 1) : several === 'last' ? counted.slice(-1) : counted;
  const right = code === '' ? chosen : [];
  if (JSON.stringify(answers) !== JSON.stringify(right)) return `it gave the answers ${JSON.stringify(answers)}`;
  return undefined;
}
