import { fileURLToPath } from 'node:url';
import { Project } from '../src/project/index.js';

/** The reference control plane, wherever its processes are started. */
export function controlPlaneProject(): Promise<Project> {
  return Project.find(fileURLToPath(new URL('.', import.meta.url)));
}
