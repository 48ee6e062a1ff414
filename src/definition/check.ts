import { DeclarationError, type DeclarationProblem } from './declaration-error.js';
import type { AnyEntity } from './entity.js';

/**
 * Finds all mistakes of a declaration. S1.5
 * @throws DeclarationError with every one of them
 */
export function checkDeclaration(entity: AnyEntity): void {
  const problems: DeclarationProblem[] = [];
  if (problems.length > 0) throw new DeclarationError(entity.name, problems);
}
