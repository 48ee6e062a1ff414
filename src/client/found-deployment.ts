import type { WorkflowExecutionDescription } from '@temporalio/client';
import { originIn, type DeploymentOrigin } from '../protocol/deployment-origin.js';

/** All that Temporal knows of a deployment without asking a worker. */
export interface FoundDeployment {
  readonly name: string;
  readonly origin: DeploymentOrigin;
  /** The first run of its workflow: a name that is used again is another life. */
  readonly life: string;
  /** `lost`: its workflow was ended by hand, or has failed, before the tree had ended. */
  readonly status: 'running' | 'ended' | 'lost';
}

/** The component of a deployment that somebody has started without saying what it is: only operators may do something with it. */
const UNKNOWN: DeploymentOrigin = { component: '' };

export function foundDeployment(name: string, described: WorkflowExecutionDescription): FoundDeployment {
  const { raw, memo, runId, status } = described;
  return {
    name,
    origin: originIn(memo) ?? UNKNOWN,
    life: raw.workflowExecutionInfo?.firstRunId || runId,
    status: status.name === 'RUNNING' ? 'running' : status.name === 'COMPLETED' ? 'ended' : 'lost',
  };
}
