import type { DeclarationProblem } from '../declaration-error.js';
import type { AnyEntity } from '../entity.js';
import type { TimeProperty } from '../timer.js';
import { storedAt } from './stored-value.js';

export const A_TIME = 'an ISO text with a zone, or milliseconds';
export const A_LENGTH = "milliseconds, or a text such as '30m'";

/** A property that holds a time exists, and can hold one. S4.5 @param what it has to hold */
export function timePropertyProblems(
  entity: AnyEntity,
  place: string,
  { of }: TimeProperty,
  what: string,
): readonly DeclarationProblem[] {
  const found = storedAt(entity, place, of);
  if ('problem' in found) return [found];
  const type = found.stored?.['type'];
  const kinds = Array.isArray(type) ? type : [type];
  if (type === undefined || kinds.some((kind) => ['string', 'number', 'integer'].includes(kind as string))) return [];
  return [{ place, problem: `'${of}' never holds a time`, remedy: `Name a property that holds ${what}.` }];
}

/** Tells whether a value names a property, as `property` makes it. */
export function isTimeProperty(value: unknown): value is TimeProperty {
  if (typeof value !== 'object' || value === null) return false;
  return /^properties\./.test(String((value as { readonly of?: unknown }).of));
}
