import type { AnyComponent } from '../components/index.js';
import type { AnyDistributedOperation } from '../distributed/index.js';
import type { AnyEntity } from '../definition/entity.js';
import type { Resource } from '../definition/resource.js';
import type { EntityModule } from '../service/module.js';
import type { ImplementedResource } from '../temporal/resources.js';
import type { EntityWorkflows } from '../temporal/workflows.js';

/*
 * The exports of a project's modules, told apart by their shape: a project may have another copy of Reeve or of a class.
 */

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

export function isEntity(value: unknown): value is AnyEntity {
  return isObject(value) && 'states' in value && 'actions' in value && 'name' in value;
}

export function isComponent(value: unknown): value is AnyComponent {
  return typeof value === 'function' && 'kind' in value && 'handlers' in value;
}

export function isDistributedOperation(value: unknown): value is AnyDistributedOperation {
  return isObject(value) && 'canFail' in value && 'argument' in value && 'type' in value;
}

export function isModule(value: unknown): value is EntityModule {
  return isObject(value) && 'entities' in value && 'version' in value && 'name' in value;
}

export function isResource(value: unknown): value is Resource {
  return isObject(value) && 'calls' in value && 'name' in value && !('states' in value);
}

/** Tells whether a value is what `entityWorkflows` returns. */
export function isEntityWorkflows(value: unknown): value is EntityWorkflows {
  return typeof value === 'function' && 'entityTypes' in value && 'routes' in value;
}

/** Activities by their type, like `databases.createInstance`. */
export function isImplementedResource(value: unknown): value is ImplementedResource {
  if (!isObject(value) || Array.isArray(value)) return false;
  const calls = Object.entries(value);
  return calls.length > 0 && calls.every(([type, run]) => type.includes('.') && typeof run === 'function');
}
