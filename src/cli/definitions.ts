import type { AnyEntity } from '../definition/entity.js';
import type { Resource } from '../definition/resource.js';
import type { Project } from '../project/project.js';
import { didYouMean } from '../definition/did-you-mean.js';
import { UsageError } from './usage-error.js';

/** The project in which the command is called. Commands that need no declaration do not load what checks it. */
export async function findProject(): Promise<Project> {
  return (await import('../project/project.js')).Project.find();
}

/** The entity types of the project in which the command is called. @throws ProjectError */
export async function loadDefinitions(): Promise<readonly AnyEntity[]> {
  return (await findProject()).entities();
}

/** The resources whose calls are answered from outside, as the modules of the project name them. @throws ProjectError */
export async function loadResources(): Promise<readonly Resource[]> {
  return (await (await findProject()).modules()).flatMap(({ resources = [] }) => resources);
}

/** The declaration of a type, or the only one. @throws UsageError when the project has none of that name, or several */
export async function findDeclaration(type: string | undefined): Promise<AnyEntity> {
  const entities = await loadDefinitions();
  const [only, ...others] = entities;
  const entity = type === undefined && others.length === 0 ? only : entities.find(({ name }) => name === type);
  if (entity) return entity;
  const known = entities.map(({ name }) => name);
  if (type === undefined) throw new UsageError(`Name one of the entity types: ${known.join(', ')}.`);
  throw new UsageError(
    `There is no entity type '${type}'.${didYouMean(type, known)} The entity types are: ${known.join(', ')}.`,
  );
}
