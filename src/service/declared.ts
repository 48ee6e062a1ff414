import type { AnyComponent } from '../components/index.js';
import type { OperationTypes } from '../distributed/index.js';
import type { AnyEntity } from '../definition/entity.js';

/** All that is declared, by its names: entity types, components that are deployed on their own, and types of distributed operations. */
export interface Declared {
  readonly entities: ReadonlyMap<string, AnyEntity>;
  readonly components: ReadonlyMap<string, AnyComponent>;
  readonly distributed: OperationTypes;
}

export function declared(
  entities: readonly AnyEntity[],
  components: ReadonlyMap<string, AnyComponent> = new Map(),
  distributed: OperationTypes = new Map(),
): Declared {
  return { entities: new Map(entities.map((entity) => [entity.name, entity])), components, distributed };
}
