/*
 * Batches of events come under names that say which events they are, for people who read a timeline; one handler takes them
 * all. The SDK's own way to take unknown names has no validator, and so would leave each rejected event in history. This module
 * is part of every bundle.
 */
import type { WorkflowInterceptors } from '@temporalio/workflow';
import { isRaiseUpdate } from '../protocol/message-names.js';
import { RAISE_UPDATE } from '../protocol/names.js';
import { isOwnWorkflow } from './own-workflow.js';

export const interceptors = (): WorkflowInterceptors => (isOwnWorkflow() ? {} : RENAMING);

const RENAMING: WorkflowInterceptors = {
  internals: [
    {
      activate: (input, next) => {
        for (const { doUpdate } of input.activation.jobs ?? []) {
          if (doUpdate?.name && isRaiseUpdate(doUpdate.name)) doUpdate.name = RAISE_UPDATE;
        }
        return next(input);
      },
    },
  ],
};
