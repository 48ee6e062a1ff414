import type { Attention } from '../../service/attention/attention-schema.js';
import { Problem } from '../api/problem.js';
import { withApi } from '../api/with-api.js';
import { needsOf, whyOf, type Need } from '../list/needs.js';
import { Unreachable } from '../unreachable.js';
import { ok, problem, skipped, type Check, type Finding } from './finding.js';

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

/** One finding for each cause. `partial` names what could not be asked. */
export function findingsOf(needs: readonly Need[], partial: Attention['partial'] = []): readonly Finding[] {
  if (needs.length === 0 && partial.length > 0)
    return [skipped(ABOUT, `nothing needs you, as far as is known: ${partial.join(' and ')} could not be queried`)];
  if (needs.length === 0) return [ok(ABOUT, 'nothing needs you')];
  return needs.map(({ cause, concerns }) => {
    const names = concerns.slice(0, MOST_SHOWN).map(({ name }) => name);
    const more = concerns.length > names.length ? ` and ${concerns.length - names.length} more` : '';
    const [first] = concerns;
    const { what_to_do: whatToDo, command } = first;
    const says = `${cause}. ${names.join(', ')}${more}: ${whyOf(first)}`;
    return problem(ABOUT, says, `${whatToDo} Run: ${command}`);
  });
}
