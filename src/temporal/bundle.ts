import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger, type WorkflowBundleWithSourceMap } from '@temporalio/worker';

/** Where the code is that runs in workflows. */
export interface WorkflowSources {
  /** Absolute path of the module whose default export is `entityWorkflows(...)`. */
  readonly workflowsPath: string;
  /**
   * Absolute paths of the modules that hold declarations. They are loaded once for a worker and not once for each
   * entity, since building zod schemas costs time and memory.
   */
  readonly declarations?: readonly string[];
}

/** Bundles workflow code, so that workers start quickly. Sources may be TypeScript or JavaScript. */
export function bundleWorkflows(sources: WorkflowSources): Promise<WorkflowBundleWithSourceMap> {
  return bundleWorkflowCode({
    ...bundlerOptions(sources),
    workflowsPath: sources.workflowsPath,
    workflowInterceptorModules: [LOG_ATTRIBUTES],
    logger: new DefaultLogger('WARN'),
  });
}

/** The protocol's own schemas, for the same reason. */
const PROTOCOL = fileURLToPath(new URL(`../protocol/parse${extname(import.meta.url)}`, import.meta.url));

const LOG_ATTRIBUTES = fileURLToPath(new URL(`./workflow-log-attributes${extname(import.meta.url)}`, import.meta.url));

function bundlerOptions({ declarations = [] }: WorkflowSources) {
  return {
    preloadModules: [PROTOCOL, ...declarations],
    webpackConfigHook: (config: object): object => {
      const resolve = (config as { resolve?: object }).resolve;
      // TypeScript's own rule: an import of './x.js' means './x.ts' where that is the source.
      return { ...config, resolve: { ...resolve, extensionAlias: { '.js': ['.ts', '.js'] } } };
    },
  };
}
