import type { Logger } from 'pino';
import { ProviderProcess } from '../temporal/providers/provider-process.js';
import { builtFile } from './built-file.js';
import type { Project } from './project.js';

/** The resources that package.json names have a process of their own: their code shares no fate with the workflows. S1.5a */
export function startProviders(project: Project, log: Logger): ProviderProcess {
  return new ProviderProcess({
    script: builtFile('src/project/serve-providers.js'),
    args: [project.folder],
    report: (message, attributes) => log.error(attributes, message),
  });
}
