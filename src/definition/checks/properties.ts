import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';

/** An entity starts with `properties.parse({})`. */
export function propertyProblems(entity: AnyEntity): readonly DeclarationProblem[] {
  const parsed = entity.properties.safeParse({});
  if (parsed.success) return [];
  return parsed.error.issues.map(({ path }) => ({
    place: ['properties', ...path].join('.'),
    problem: 'has no value when the entity comes to be',
    remedy: 'Give it a .default(...), or make it .optional() until an action sets it.',
  }));
}
