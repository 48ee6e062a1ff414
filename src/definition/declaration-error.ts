/** One mistake in a declaration. */
export interface DeclarationProblem {
  /** Shows where: `actions.install.to`. */
  readonly place: string;
  readonly problem: string;
  readonly remedy: string;
  /** It names something that is not there, from which other mistakes may follow. */
  readonly unknown?: true;
}

/** All the mistakes in a declaration, at once. S1.5 */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';

  constructor(
    readonly entity: string,
    readonly problems: readonly DeclarationProblem[],
  ) {
    const count = problems.length === 1 ? '1 mistake' : `${problems.length} mistakes`;
    const lines = problems.map(({ place, problem, remedy }) => `  ${place}: ${problem}\n    ${remedy}`);
    super([`The declaration of ${entity} has ${count}:`, ...lines].join('\n'));
  }
}
