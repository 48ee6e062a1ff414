import type { Attention } from '../../service/attention/attention-schema.js';
import { Problem } from '../api/problem.js';
import { withApi } from '../api/with-api.js';
import { needsOf, whyOf, type Need } from '../list/needs.js';
import { Unreachable } from '../unreachable.js';
import { ok, problem, skipped, waiting, type Check, type Finding } from './finding.js';

const ABOUT = 'attention';
/** How many names are shown; more examples of the same cause would not help. */
const MOST_SHOWN = 5;

/** Lists everything that needs a person, by its cause, as `reeve attention` lists it. S5.4 */
export const attention: Check = {
  about: ABOUT,
  look: async () => {
    try {
      const { told, needs } = await withApi('either', (api) => needsOf(api));
      return findingsOf(needs, told.partial);
    } catch (thrown) {
      // The other checks tell why.
      if (thrown instanceof Unreachable || thrown instanceof Problem)
        return [skipped(ABOUT, 'not checked: neither the management service nor the store can be reached')];
      throw thrown;
    }
  },
};

/** One finding for each cause: first the problems, then what only waits for a person. `partial` names what could not be asked. */
export function findingsOf(needs: readonly Need[], partial: Attention['partial'] = []): readonly Finding[] {
  const awaited = needs.filter(isAnswer);
  const problems = needs.filter((need) => !isAnswer(need));
  return [
    ...(problems.length === 0 ? [withoutProblems(awaited.length > 0 ? 'nothing else' : 'nothing', partial)] : []),
    ...problems.map((need) => problem(ABOUT, ...wordsOf(need))),
    ...awaited.map((need) => waiting(...wordsOf(need))),
  ];
}

/** Tells whether its concerns wait for answers from outside, as they were meant to. */
function isAnswer({ concerns: [{ reason }] }: Need): boolean {
  return reason === 'answer';
}

function withoutProblems(nothing: string, partial: Attention['partial']): Finding {
  if (partial.length === 0) return ok(ABOUT, `${nothing} needs you`);
  return skipped(ABOUT, `${nothing} needs you, as far as is known: ${partial.join(' and ')} could not be queried`);
}

function wordsOf({ cause, concerns }: Need): readonly [says: string, remedy: string] {
  const names = concerns.slice(0, MOST_SHOWN).map(({ name }) => name);
  const more = concerns.length > names.length ? ` and ${concerns.length - names.length} more` : '';
  const [first] = concerns;
  const { what_to_do: whatToDo, command } = first;
  return [`${cause}. ${names.join(', ')}${more}: ${whyOf(first)}`, `${whatToDo} Run: ${command}`];
}
