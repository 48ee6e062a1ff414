import { workflowInfo, type WorkflowInterceptors } from '@temporalio/workflow';
import { SEARCH_ATTRIBUTES } from '../protocol/names.js';

/** Puts the operation that runs on an entity into each line that its workflow logs. It is part of every bundle. S4.8 */
export const interceptors = (): WorkflowInterceptors => ({
  outbound: [
    {
      getLogAttributes: (attributes, next) => {
        const operation = workflowInfo().searchAttributes[SEARCH_ATTRIBUTES.operation]?.[0];
        return next({ ...attributes, ...(operation !== undefined && { operation }) });
      },
    },
  ],
});
