/** In the order of their names, so that two models differ only where the declarations do. */
export function byName<T extends { readonly name: string }>(list: readonly T[]): readonly T[] {
  return [...list].sort((one, other) => (one.name < other.name ? -1 : 1));
}
