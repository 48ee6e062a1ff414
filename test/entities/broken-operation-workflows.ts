import { workflowInfo } from '@temporalio/workflow';
import { OPERATION_TYPE } from '../../src/protocol/names.js';
import run from './explain-workflows.js';

/** Runs the workflows of a worker whose operations have a mistake. */
export default async function broken(input: unknown): Promise<unknown> {
  if (workflowInfo().workflowType === OPERATION_TYPE) throw new Error('operations are broken');
  return run(input);
}
