import {
  allHandlersFinished,
  ApplicationFailure,
  condition,
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import type { RawActivities } from './activities.js';
import { install, overhaul, probe, repair, turn, value } from './messages.js';

const options = { startToCloseTimeout: '1m' } as const;
const inline = proxyLocalActivities<RawActivities>(options);
const remote = proxyActivities<RawActivities>(options);

/** The valve as a person would write it by hand. It does the same work, without what the library adds. */
export async function rawValve(start = 0): Promise<void> {
  let current = start;
  setHandler(value, () => current);
  setHandler(turn, (to) => (current = to));
  setHandler(probe, async () => (current = (await inline.probe({ valve: workflowInfo().workflowId })).value));
  setHandler(overhaul, async () => (current = (await remote.overhaul({ valve: workflowInfo().workflowId })).value));
  setHandler(repair, async () => (current = (await remote.repair({ valve: workflowInfo().workflowId })).value));
  setHandler(install, () => undefined, {
    validator: () => {
      throw ApplicationFailure.nonRetryable('it is installed already', 'already_done');
    },
  });
  await condition(() => workflowInfo().continueAsNewSuggested && allHandlersFinished());
  await continueAsNew<typeof rawValve>(current);
}

export { errand } from '../own/errand.js';
