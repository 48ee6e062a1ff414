import type { AnyEntity } from '../definition/entity.js';

/** Entity types that are served together, under a name and a version of their own: `/api/control-plane/v1/...`. S6.2 */
export interface EntityModule {
  /** Lower case, with hyphens. */
  readonly name: string;
  /** Grows when clients of the version before it could not work with it. */
  readonly version: number;
  readonly entities: readonly AnyEntity[];
}

/** Where the entities of a type are: `/api/control-plane/v1/LogicalServer`. */
export function pathOfType({ name, version }: EntityModule, type: string): string {
  return `/api/${name}/v${version}/${type}`;
}
