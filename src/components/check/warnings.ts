import type { DeclarationProblem } from '../../definition/declaration-error.js';
import { endlessAt, endsOthers } from './endless.js';
import { nameOf, type Place, type Survey } from './place.js';

/** Lists what can be meant as it is written, and mostly is not: a workflow that hangs. W1, W4 */
export function warningsOf(survey: Survey): readonly DeclarationProblem[] {
  return survey.places.flatMap((place) => [...quietEnds(place), ...(endsOthers(survey) ? [] : neverReached(place))]);
}

/** Somebody waits for an end of which it is not told. */
function quietEnds({ kind, children, held }: Place): readonly DeclarationProblem[] {
  if (!kind?.waitsForEnds) return [];
  return [...children.values(), ...held.values()].flatMap((child) => {
    const { attributes } = child.description;
    const silent = ['sfShouldTerminateQuietly', 'sfShouldDetach'].find((name) => attributes[name] === true);
    if (silent === undefined) return [];
    const how = silent === 'sfShouldDetach' ? 'detaches' : 'ends quietly';
    const problem = `it ${how}, so its ${kind.name} does not learn of its end and waits forever`;
    return [{ place: `${nameOf(child)}.${silent}`, problem, remedy: 'Set sfShouldTerminate instead.' }];
  });
}

/** A step that never ends is followed by others. */
function neverReached({ kind, children }: Place): readonly DeclarationProblem[] {
  if (kind?.name !== 'Sequence') return [];
  return [...children.values()].slice(0, -1).flatMap((child) => {
    const endless = endlessAt(child);
    if (!endless) return [];
    const which = endless.place === nameOf(child) ? '' : `${endless.place}: `;
    const problem = `the rest of its Sequence is never reached: ${which}${endless.why}`;
    const remedy = 'Set sfShouldTerminate: true, put it at the end, or run it beside the others in a compound().';
    return [{ place: nameOf(child), problem, remedy }];
  });
}
