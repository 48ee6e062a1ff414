import type { AnyEntity } from '../definition/entity.js';
import type { Resource } from '../definition/resource.js';

/** Entity types that are served together, under a name and a version of their own: `/api/control-plane/v1/...`. S6.2 */
export interface EntityModule {
  /** The name, in lower case, with hyphens. */
  readonly name: string;
  /** The version. It grows when clients of the version before could not work with the new one. */
  readonly version: number;
  readonly entities: readonly AnyEntity[];
  /**
   * The resources whose calls are answered from outside: an answer that is not right is refused where it is given. What the service
   * does not know here, the entity finds out. A1
   */
  readonly resources?: readonly Resource[];
}

/** The names of all types that are served. */
export function typesOf(modules: readonly EntityModule[]): readonly string[] {
  return modules.flatMap(({ entities }) => entities.map(({ name }) => name));
}

/** The path of the entities of a type: `/api/control-plane/v1/LogicalServer`. */
export function pathOfType({ name, version }: EntityModule, type: string): string {
  return `/api/${name}/v${version}/${type}`;
}
