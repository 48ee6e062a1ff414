import type { WorkflowInterceptors } from '@temporalio/workflow';

type Internals = NonNullable<WorkflowInterceptors['internals']>[number];
type Activation = Parameters<NonNullable<Internals['activate']>>[0]['activation'];
type Job = NonNullable<Activation['jobs']>[number];
type Command = Parameters<NonNullable<Internals['concludeActivation']>>[0]['commands'][number];
type Payloads = readonly { readonly data?: Uint8Array | null }[] | null | undefined;

/**
 * A run with more events goes on in a new one when nothing is under way, long before the server suggests it: a worker that
 * takes an entity over replays its run.
 */
const MANY_EVENTS = 2_000;
/** The same limit in bytes of payloads: a page of history has to fit into an answer of the service, 4 MB. */
const MANY_BYTES = 1_800_000;
/** A run with more events than this ends even if it hands over much. The server warns of 10,240. */
const VERY_MANY_EVENTS = 10_000;
/** Each input comes with a task, which has three events: scheduled, started, completed. */
const EVENTS_OF_A_TASK = 3;

/**
 * How long the history of a run is, counted from what comes in and what is asked for. This count is the same in each replay;
 * the length that the server tells is not. L7
 */
export class RunLength {
  #events = 0;
  #bytes = 0;
  /** The updates of the present activation. Only accepted ones are in history. */
  readonly #updates = new Map<string | null | undefined, Job>();

  get isLong(): boolean {
    return this.#events > MANY_EVENTS || this.#bytes > MANY_BYTES;
  }

  get isVeryLong(): boolean {
    return this.#events > VERY_MANY_EVENTS;
  }

  take(jobs: readonly Job[]): void {
    for (const job of jobs) {
      if (job.doUpdate) this.#updates.set(job.doUpdate.protocolInstanceId, job);
      else this.#count(job);
    }
  }

  send(commands: readonly Command[]): void {
    for (const command of commands) {
      const { updateResponse } = command;
      if (updateResponse?.rejected) continue;
      const update = updateResponse?.accepted && this.#updates.get(updateResponse.protocolInstanceId);
      if (update) this.#count(update);
      this.#events++;
      this.#bytes += bytesOf(sent(command));
    }
    this.#updates.clear();
  }

  #count(job: Job): void {
    this.#events += EVENTS_OF_A_TASK + (job.resolveActivity ? 2 : 1);
    this.#bytes += bytesOf(received(job));
  }
}

function received(job: Job): Payloads {
  const result =
    job.resolveActivity?.result?.completed?.result ?? job.resolveChildWorkflowExecution?.result?.completed?.result;
  if (result) return [result];
  return job.signalWorkflow?.input ?? job.doUpdate?.input ?? job.initializeWorkflow?.arguments;
}

function sent(command: Command): Payloads {
  const answer = command.updateResponse?.completed;
  if (answer) return [answer];
  return (
    command.scheduleActivity?.arguments ??
    command.signalExternalWorkflowExecution?.args ??
    command.startChildWorkflowExecution?.input
  );
}

function bytesOf(payloads: Payloads): number {
  let bytes = 0;
  for (const { data } of payloads ?? []) bytes += data?.length ?? 0;
  return bytes;
}
