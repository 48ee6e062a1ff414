import type { Resource } from '../definition/resource.js';
import { didYouMean } from '../definition/did-you-mean.js';
import { routeOf, type CallRoutes } from '../temporal/call-routes.js';
import type { ImplementedResource } from '../temporal/resources.js';
import type { Project } from './project.js';
import { ProjectError, type ProjectMistake } from './project-error.js';

/**
 * Compares what a project declares with the code that is bundled and with the resources that are served. Nothing else would say what
 * was forgotten: an entity without code, or a call that nobody makes, waits for a worker that never comes. S3.9
 * @param served what a worker serves; unless given, what package.json names, where no code of a worker brings more
 * @throws ProjectError with all that is missing
 */
export async function compareParts(project: Project, served?: readonly ImplementedResource[]): Promise<void> {
  const code = await project.code();
  if (!code) return;
  const { modules, entities } = await project.declared();
  const known = served ?? (project.settings.worker === undefined ? await project.resources() : undefined);
  const resources = new Set(modules.flatMap((module) => module.resources ?? []));
  const mistakes = [
    ...typesApart(
      project,
      entities.map(({ name }) => name),
      code.entityTypes,
    ),
    ...(known ? unserved(project, [...resources], known, code.routes) : []),
  ];
  if (mistakes.length > 0) throw new ProjectError(mistakes);
}

/** The types that are declared and have no code, and those that have code and are not declared. */
function typesApart(project: Project, declared: readonly string[], coded: readonly string[]): ProjectMistake[] {
  const [definitions, workflows] = [placeOf(project, 'definitions'), placeOf(project, 'workflows')];
  const withoutCode = declared.filter((type) => !coded.includes(type));
  const undeclared = coded.filter((type) => !declared.includes(type));
  return [
    ...withoutCode.map((type) => ({
      place: workflows,
      problem: `has no code for '${type}', which ${definitions} declares`,
      remedy: `Pass the result of implementActions(${type}, ...) to entityWorkflows(...) there, and build again.`,
    })),
    ...undeclared.map((type) => ({
      place: definitions,
      problem: `does not export '${type}', but ${workflows} has code for it.${didYouMean(type, withoutCode)}`,
      remedy: `Export the result of defineEntity('${type}', ...) there, and build again.`,
    })),
  ];
}

/** The declared resources of which nobody makes the calls: neither this worker nor those to which they are routed. */
function unserved(
  project: Project,
  declared: readonly Resource[],
  served: readonly ImplementedResource[],
  routes: CallRoutes,
): ProjectMistake[] {
  const made = new Set(served.flatMap((resource) => Object.keys(resource)));
  const isMade = (resource: string, activity: string) =>
    made.has(activity) || routeOf(routes, { activity, resource }) !== undefined;
  return declared
    .filter(({ name, calls }) => !Object.keys(calls).every((call) => isMade(name, `${name}.${call}`)))
    .map(({ name }) => ({
      place: placeOf(project, 'resources'),
      problem: `does not serve the resource '${name}', which ${placeOf(project, 'definitions')} exports`,
      remedy: `Export the result of implementResource(${name}, ...) there, and build again.`,
    }));
}

function placeOf(project: Project, name: 'definitions' | 'workflows' | 'resources'): string {
  return project.pathOf(name) ?? `package.json: reeve.${name}`;
}
