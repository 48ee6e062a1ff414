import type { AnyEntity } from '../../definition/entity.js';
import { dimensionNames } from '../../definition/dimension-names.js';
import type { StoreViews } from '../../store/index.js';
import { AUDIT } from '../guard.js';
import type { EntityModel } from '../odata/index.js';
import { pathOfType, type EntityModule } from '../module.js';
import { entityModels } from './entity-models.js';
import { levelModels, type LevelModels } from './level-models.js';
import type { List } from './list-answer.js';
import { STORE_ROOT } from './store-root.js';

/** The views of the store, by the names of their lists. S5.1, S5.5, S6.5 */
const STORE_LISTS: Readonly<Record<string, keyof StoreViews>> = {
  operations: 'operations',
  events: 'state_machine_events',
  transitions: 'state_machine_transitions',
  calls: 'calls',
  exceptions: 'workflow_exceptions',
  errors: 'workflow_errors',
  entities: 'entities',
  pending_callbacks: 'pending_callbacks',
  deployments: 'deployments',
  components: 'components',
  rejections: 'rejected_events',
  [AUDIT]: 'audit_trail',
  operation_rollup: 'operation_rollup',
  operation_causes: 'operation_causes',
  event_rollup: 'event_rollup',
  event_causes: 'event_causes',
  transition_rollup: 'transition_rollup',
  transition_causes: 'transition_causes',
};

/** The lists of a module, or those of the store. */
export interface ListRoot {
  readonly path: string;
  /** The namespace of the types in `$metadata`: `control_plane.v1`. */
  readonly namespace: string;
  readonly lists: readonly List[];
  /** The module; absent for the store. */
  readonly module?: EntityModule;
}

/** Everything that can be listed. S6.2 */
export interface Catalogue {
  readonly levels: LevelModels;
  /** The names of the dimensions of all entities. */
  readonly dimensions: readonly string[];
  readonly store: ListRoot;
  readonly modules: readonly ListRoot[];
}

export function catalogueOf(modules: readonly EntityModule[]): Catalogue {
  const entities = modules.flatMap((module) => module.entities);
  const dimensions = dimensionNames(entities);
  const levels = levelModels(dimensions);
  const models = entityModels(modules, levels);
  const root = STORE_ROOT;
  return {
    levels,
    dimensions,
    store: {
      path: root,
      namespace: 'reeve.v1',
      lists: Object.entries(STORE_LISTS).map(([name, view]) => ({ name, root, model: levels[view] })),
    },
    modules: modules.map((module) => {
      const path = rootOfModule(module);
      const lists = module.entities.flatMap(({ name }) => {
        const model = models.get(name);
        return model ? [{ name, root: path, model }] : [];
      });
      return { path, namespace: `${module.name.replaceAll('-', '_')}.v${module.version}`, lists, module };
    }),
  };
}

/** Describes what a query can ask of the entities of a type that is served. */
export function modelOf({ modules }: Catalogue, { name }: AnyEntity): EntityModel {
  const list = modules.flatMap(({ lists }) => lists).find((each) => each.name === name);
  if (!list) throw new Error(`no module serves ${name}`);
  return list.model;
}

function rootOfModule(module: EntityModule): string {
  return pathOfType(module, '').slice(0, -1);
}
