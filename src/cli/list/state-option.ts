import { didYouMean } from '../../definition/did-you-mean.js';
import type { NamesForPeople } from '../names-for-people.js';
import { UsageError } from '../usage-error.js';

/**
 * The states that the `--state` of a list names.
 * @param declared the states that there are, of the type or of all types; without them, any may be named
 * @throws UsageError where no entity can be in such a state
 */
export function statesMeant(
  names: NamesForPeople,
  called: string,
  type: string | undefined,
  declared: readonly string[] | undefined,
): readonly string[] {
  const meant = names.statesCalled(called, type);
  if (!declared || meant.some((state) => declared.includes(state))) return meant;
  const problem = type === undefined ? `no type has a state '${called}'` : `${type} has no state '${called}'`;
  const known = type === undefined ? 'There are' : 'It has';
  throw new UsageError(`--state: ${problem}.${didYouMean(called, declared)} ${known}: ${declared.join(', ')}.`);
}
