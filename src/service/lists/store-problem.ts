import { readingFailure } from '../../store/index.js';
import { ProblemError } from '../problem.js';

/**
 * Reads the store.
 * @param remedy what the caller can do where the query takes too long
 * @throws ProblemError 503, 504
 */
export async function readStore<T>(remedy: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (thrown) {
    const problem = problemOf(thrown, remedy);
    if (!problem) throw thrown;
    // For the log, and for those who may know.
    problem.cause = thrown;
    throw problem;
  }
}

function problemOf(thrown: unknown, remedy: string): ProblemError | undefined {
  const later = { 'Retry-After': '5' };
  switch (readingFailure(thrown)) {
    case 'away':
      return new ProblemError(
        'store_unavailable',
        'The store is unavailable, and the answer is only in the store.',
        {},
        later,
      );
    case 'outdated': {
      const message = `The store does not have the schema of this version. Run 'reeve store migrate'.`;
      return new ProblemError('store_outdated', message, {}, later);
    }
    case 'too_much':
      return new ProblemError('query_too_large', `The query takes too long or has too many results. ${remedy}`);
    case 'refused':
    case undefined:
      return undefined;
  }
}
