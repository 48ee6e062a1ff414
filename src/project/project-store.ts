import { findPayloadSettings } from '../stack/payload-keys.js';
import { retentionFrom, openStore, secretProperties, type Store, type StoreOptions } from '../store/index.js';
import type { Project } from './project.js';

/** The store of a project, with the dimensions that its entities declare, and what is secret in them. @throws ProjectError */
export async function openProjectStore(
  project: Project,
  url: string,
  options: Partial<Pick<StoreOptions, 'queryMs' | 'warn'>> = {},
): Promise<Store> {
  const { entities, dimensions } = await project.declared();
  return openStore({
    warn: (message) => console.error(message),
    ...retentionFrom(process.env),
    ...options,
    url,
    dimensions,
    secret: secretProperties(entities),
    payloads: findPayloadSettings(),
  });
}
