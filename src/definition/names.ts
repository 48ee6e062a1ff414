/** Names given as one or several, as a list. */
export function asList<T extends string>(names: T | readonly T[] | undefined): readonly T[] {
  if (names === undefined) return [];
  return typeof names === 'string' ? [names] : names;
}
