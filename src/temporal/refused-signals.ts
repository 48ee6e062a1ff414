import { defaultPayloadConverter, type WorkflowInterceptors } from '@temporalio/workflow';
import { refusedSignal } from '../protocol/message-names.js';

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Internals['activate']>>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Signal = NonNullable<Job['signalWorkflow']>;
type Payloads = NonNullable<Signal['input']>;

/** The SDK keeps names with this beginning for itself. */
const RESERVED = '__temporal_';

/**
 * Renames the signals of an activation that would make the SDK throw, which fails the task, again and again: those with a reserved name,
 * and those that cannot be read. Under their new names they are recorded and dropped. It changes the jobs in place: a copy would not be
 * a job to the SDK. S1.5a
 */
export function refuseSignals(jobs: readonly Job[]): void {
  for (const { signalWorkflow: signal } of jobs) {
    const why = signal && refusalOf(signal);
    if (why) Object.assign(signal, { signalName: refusedSignal(why, signal.signalName ?? ''), input: [] });
  }
}

function refusalOf({ signalName, input }: Signal): 'reserved' | 'unreadable' | undefined {
  if (signalName?.startsWith(RESERVED)) return 'reserved';
  return isReadable(input ?? []) ? undefined : 'unreadable';
}

function isReadable(input: Payloads): boolean {
  try {
    for (const payload of input) defaultPayloadConverter.fromPayload(payload);
    return true;
  } catch {
    // What the converter says of it is of no use to the sender, who is not told.
    return false;
  }
}
