/*
 * All mistakes of a description at once, each with its path and a remedy, before anything starts. W1
 */
import { DeclarationError, type DeclarationProblem } from '../../definition/declaration-error.js';
import { EVENT_BYTES } from '../../definition/limits.js';
import { sizeProblem } from '../../protocol/size-problem.js';
import type { Description } from '../description/description.js';
import type { Kinds } from '../tree/kind.js';
import { attributeProblems, childProblems } from './attributes.js';
import { eventProblems } from './events.js';
import { nameOf, Survey } from './place.js';
import { Guide, referenceProblems } from './references.js';
import { warningsOf } from './warnings.js';

/** The mistakes of a description. */
export function componentProblems(kinds: Kinds, description: Description): readonly DeclarationProblem[] {
  const survey = new Survey(kinds, description);
  const guide = new Guide(survey);
  const each = survey.places.flatMap((place) => {
    const { kind } = place;
    if (!kind) return [];
    const own = [...attributeProblems(kinds, place, kind), ...childProblems(kinds, place, kind)];
    return [...own, ...referenceProblems(guide, place)];
  });
  const all = [...survey.problems, ...each, ...eventProblems(survey, guide)];
  // In the order of the description, whoever has found them.
  const order = new Map(survey.places.map((place, index) => [nameOf(place), index]));
  const rank = ({ place }: DeclarationProblem) => order.get(place.split('.', 1)[0]!) ?? 0;
  return all.sort((one, other) => rank(one) - rank(other));
}

/** Returns what is no mistake, and still mostly not meant: a component that waits forever. */
export function componentWarnings(kinds: Kinds, description: Description): readonly DeclarationProblem[] {
  return warningsOf(new Survey(kinds, description));
}

/** @throws DeclarationError with every mistake of a description */
/**
 * Checks a description as a whole.
 * @throws DeclarationError with every mistake, its place and a remedy
 */
export function checkComponents(kinds: Kinds, description: Description): void {
  const tooLarge = sizeProblem(description, EVENT_BYTES);
  const remedy = 'Keep large data outside, and pass its address.';
  const problems = tooLarge
    ? [{ place: description.kind, problem: `has ${tooLarge}`, remedy }]
    : componentProblems(kinds, description);
  if (problems.length > 0) throw new DeclarationError(description.kind, problems);
}
