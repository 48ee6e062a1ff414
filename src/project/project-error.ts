/** One mistake in what a project says of itself. */
export interface ProjectMistake {
  /** Where: `package.json: reeve.definitions`, or a file. */
  readonly place: string;
  readonly problem: string;
  readonly remedy: string;
}

/** All the mistakes that were found in a project, at once. S3.9 */
export class ProjectError extends Error {
  override readonly name = 'ProjectError';

  constructor(readonly mistakes: readonly ProjectMistake[]) {
    super(mistakes.map(({ place, problem, remedy }) => `${place}: ${problem}\n    ${remedy}`).join('\n'));
  }
}

/**
 * Waits for all of these, so that the mistakes of each are told at once.
 * @throws ProjectError with the mistakes of all; or else what the first of them throws
 */
export async function together<const T extends readonly unknown[]>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const ends = await Promise.allSettled(work);
  const thrown = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []));
  const mistakes = thrown.flatMap((each) => (each instanceof ProjectError ? each.mistakes : []));
  if (mistakes.length > 0) throw new ProjectError(distinct(mistakes));
  if (thrown.length > 0) throw thrown[0];
  return ends.map((end) => (end as PromiseFulfilledResult<unknown>).value) as never;
}

function distinct(mistakes: readonly ProjectMistake[]): readonly ProjectMistake[] {
  return [...new Map(mistakes.map((mistake) => [`${mistake.place} ${mistake.problem}`, mistake])).values()];
}
