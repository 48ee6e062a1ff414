import { isTemporalAway } from '../../../client/no-answer.js';
import { Rejected } from '../../../protocol/errors.js';
import { ProblemError } from '../../problem.js';
import { OnlyTheStoreKnows } from './live-condition.js';

/** Why the store tells nothing, where it cannot be reached at all. */
const AWAY = ['store_unavailable', 'no_store'];

/** The problem of a store that is away, instead of an answer. Anything else is thrown again. */
export function orUnavailable(thrown: unknown): ProblemError {
  if (thrown instanceof ProblemError && AWAY.includes(thrown.code)) return thrown;
  throw thrown;
}

/**
 * Asks Temporal while the store is unavailable.
 * @param away the problem of the store
 * @param instead what Temporal can tell, as a sentence without its end
 * @throws ProblemError the store's, which says what Temporal does not know
 */
export async function whileUnavailable<T>(away: ProblemError, instead: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (thrown) {
    if (thrown instanceof OnlyTheStoreKnows) throw withRemedy(away, instead, thrown);
    throw thrown instanceof Rejected || isTemporalAway(thrown) ? away : thrown;
  }
}

function withRemedy(problem: ProblemError, instead: string, { message }: OnlyTheStoreKnows): ProblemError {
  const { code, details, headers } = problem;
  const remedy = `Until it is back, ${instead}. It does not have ${message}.`;
  return new ProblemError(code, `${problem.message} ${remedy}`, details, headers);
}
