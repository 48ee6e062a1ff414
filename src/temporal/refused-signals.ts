import { defaultPayloadConverter, type WorkflowInterceptors } from '@temporalio/workflow';
import { isRefused } from '../secrecy/refused-payload.js';
import { isMessageName, refusedSignal } from '../protocol/message-names.js';

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Internals['activate']>>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Signal = NonNullable<Job['signalWorkflow']>;

/** The SDK keeps names with this beginning for itself. */
const RESERVED = '__temporal_';

/**
 * Renames the signals of an activation that would make the SDK throw, which fails the task, again and again: those with a reserved name,
 * and those that cannot be read. Under their new names they are recorded and dropped. It changes the jobs in place: a copy would not be
 * a job to the SDK. S1.5a
 * @throws where a message of another entity cannot be read: nothing may be lost where a setting is wrong
 */
export function refuseSignals(jobs: readonly Job[]): void {
  for (const { signalWorkflow: signal } of jobs) {
    const why = signal && refusalOf(signal);
    if (why) Object.assign(signal, { signalName: refusedSignal(why, signal.signalName ?? ''), input: [] });
  }
}

function refusalOf({ signalName, input }: Signal): 'reserved' | 'unreadable' | undefined {
  if (signalName?.startsWith(RESERVED)) return 'reserved';
  try {
    for (const payload of input ?? []) defaultPayloadConverter.fromPayload(payload);
    return undefined;
  } catch (thrown) {
    if (isMessageName(signalName ?? '') && input?.some(isRefused)) throw thrown;
    // The converter's message about it is of no use to the sender, who is not told.
    return 'unreadable';
  }
}
