import { didYouMean } from '../../protocol/did-you-mean.js';
import { UsageError } from '../usage-error.js';

/**
 * What is wrong with the `--state` of a list where no entity can be in that state. `states` are those that there are, of the type or
 * of all types.
 */
export function noSuchState(called: string, states: readonly string[], type: string | undefined): UsageError {
  const problem = type === undefined ? `no type has a state '${called}'` : `${type} has no state '${called}'`;
  const known = type === undefined ? 'There are' : 'It has';
  return new UsageError(`--state: ${problem}.${didYouMean(called, states)} ${known}: ${states.join(', ')}.`);
}
