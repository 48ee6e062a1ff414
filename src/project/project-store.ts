import { keptTimesFrom, openStore, type Store, type StoreOptions } from '../store/index.js';
import type { Project } from './project.js';

/** The store of a project, with the dimensions that its entities declare. @throws ProjectError */
export async function openProjectStore(
  project: Project,
  url: string,
  options: Partial<Pick<StoreOptions, 'queryMs' | 'warn'>> = {},
): Promise<Store> {
  const { dimensions } = await project.declared();
  return openStore({
    warn: (message) => console.error(message),
    ...keptTimesFrom(process.env),
    ...options,
    url,
    dimensions,
  });
}
