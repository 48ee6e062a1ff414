import type { AnyComponent } from '../components/index.js';
import type { AnyEntity } from '../definition/entity.js';

/** What is declared, by its names: entity types, and components that are deployed on their own. */
export interface Declared {
  readonly entities: ReadonlyMap<string, AnyEntity>;
  readonly components: ReadonlyMap<string, AnyComponent>;
}

export function declared(
  entities: readonly AnyEntity[],
  components: ReadonlyMap<string, AnyComponent> = new Map(),
): Declared {
  return { entities: new Map(entities.map((entity) => [entity.name, entity])), components };
}
