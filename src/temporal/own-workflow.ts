import { workflowInfo } from '@temporalio/workflow';

/** The hook of the SDK (1.24) by which it finds the function of a workflow in the bundle. */
interface Sdk {
  readonly __TEMPORAL__: { importWorkflows(): Readonly<Record<string, unknown>> };
}

/**
 * Tells whether the workflow that begins is none of Reeve's: the bundle has a function of its name. Nothing may change what such a workflow
 * asks for, since its history may be older than the plugin.
 */
export function isOwnWorkflow(): boolean {
  const workflows = (globalThis as unknown as Sdk).__TEMPORAL__.importWorkflows();
  const found = workflows[workflowInfo().workflowType];
  return typeof found === 'function' && found !== workflows['default'];
}
