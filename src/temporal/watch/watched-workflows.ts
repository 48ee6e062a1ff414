/*
 * Makes workflows in threads of which each can be ended and replaced, where the SDK has one, and ends the worker with it.
 *
 * watched-workflows.1. Who was in a thread that ended is not lost: its task fails once, and is done again in the next thread.
 * watched-workflows.2. Types whose code has ended a thread have a thread of their own from then on, so that they end no other's.
 * watched-workflows.3. An execution of an action that does not end is told to its workflow, and no task of it is done that has not
 *     heard of it. Where that is no action's code, or where it does not help, the run is set apart: its tasks fail at once.
 */
import { ENDLESS_SIGNAL } from '../../protocol/names.js';
import { endlessCode, type EndlessReason } from '../../protocol/endless-code.js';
import { type CreatorOptions, type Ending, type SdkWorkflow, WatchedThread } from './watched-thread.js';
import { FailingWorkflow, WatchedWorkflow, type Activation } from './watched-workflow.js';

/** All that the SDK tells of a workflow that it makes. */
interface CreateOptions {
  readonly info: RunNames;
}
export interface RunNames {
  readonly workflowId: string;
  readonly runId: string;
  readonly workflowType: string;
}

/** Signals a run. */
export type SignalRun = (to: RunNames, signal: string, args: readonly string[]) => Promise<void>;

/** A place for a thread, with what has ended the last one. */
interface Slot {
  thread: WatchedThread | undefined;
  last: string;
}

/** An execution that a run was told of. */
interface Told {
  readonly execution: string;
  heard: boolean;
}

export class WatchedWorkflows {
  readonly #options: CreatorOptions;
  readonly #signal: SignalRun;
  readonly #usual: Slot = { thread: undefined, last: '' };
  readonly #suspects: Slot = { thread: undefined, last: '' };
  /** The types whose code has ended a thread. */
  readonly #suspected = new Set<string>();
  /** The runs that this worker has in memory. */
  readonly #runs = new Map<string, RunNames>();
  readonly #told = new Map<string, Told>();
  /** Why the tasks of these runs fail at once. */
  readonly #apart = new Map<string, string>();
  #destroyed = false;

  private constructor(options: CreatorOptions, signal: SignalRun) {
    this.#options = options;
    this.#signal = signal;
  }

  static async create(options: CreatorOptions, signal: SignalRun): Promise<WatchedWorkflows> {
    const workflows = new WatchedWorkflows(options, signal);
    await workflows.#threadOf(workflows.#usual).ready;
    return workflows;
  }

  async createWorkflow(options: CreateOptions): Promise<SdkWorkflow> {
    const { workflowId, runId, workflowType } = options.info;
    const apart = this.#apart.get(runId);
    if (apart !== undefined) return new FailingWorkflow(apart);
    this.#runs.set(runId, { workflowId, runId, workflowType });
    const slot = this.#suspected.has(workflowType) ? this.#suspects : this.#usual;
    const thread = this.#threadOf(slot);
    try {
      return new WatchedWorkflow(thread, await thread.create(options), {
        activating: (activation) => this.#check(runId, activation),
        activated: () => this.#forget(runId),
        ended: () => slot.last,
        disposed: () => void this.#runs.delete(runId),
      });
    } catch (thrown) {
      if (!thread.ending) throw thrown;
      await thread.ending;
      return new FailingWorkflow(slot.last);
    }
  }

  async destroy(): Promise<void> {
    this.#destroyed = true;
    await Promise.all([this.#usual, this.#suspects].map(({ thread }) => thread?.destroy()));
  }

  #threadOf(slot: Slot): WatchedThread {
    if (slot.thread) return slot.thread;
    const thread = new WatchedThread(this.#options, async (ending) => {
      slot.thread = undefined;
      await this.#ended(slot, ending);
      // Nobody is to wait until it has loaded the bundle.
      if (!this.#destroyed && thread.wasReady) this.#threadOf(slot);
    });
    slot.thread = thread;
    return thread;
  }

  async #ended(slot: Slot, { why, by, error }: Ending): Promise<void> {
    const run = by && this.#runs.get(by.runId);
    if (!run || why === 'failed') {
      slot.last = `The thread of workflow code has ended (${error?.message ?? why}). This task is done again in a new thread.`;
      this.#options.logger.error(slot.last, { error });
      return;
    }
    const { workflowId, workflowType, runId } = run;
    const { execution } = by;
    this.#suspected.add(workflowType);
    const what = endlessCode(why, workflowId, execution);
    slot.last = `The thread of workflow code was ended: ${what}. This task is done again in a new thread.`;
    this.#options.logger.error(slot.last, { workflowId, runId, execution });
    const helps = execution !== '' && this.#told.get(runId)?.execution !== execution;
    if (helps && (await this.#tell(run, execution, why))) this.#told.set(runId, { execution, heard: false });
    else this.#apart.set(runId, `${what}. ${APART}`);
  }

  async #tell(run: RunNames, execution: string, why: EndlessReason): Promise<boolean> {
    try {
      await this.#signal(run, ENDLESS_SIGNAL, [execution, why]);
      return true;
    } catch (error) {
      this.#options.logger.error('The code of a workflow does not end, and the signal that reports it there failed', {
        ...run,
        error,
      });
      return false;
    }
  }

  /** A task that a worker has taken before its run was told does not say so. watched-workflows.3 */
  #check(runId: string, { jobs, isReplaying }: Activation): void {
    const told = this.#told.get(runId);
    if (!told) return;
    if (jobs?.some(({ signalWorkflow }) => signalWorkflow?.signalName === ENDLESS_SIGNAL)) told.heard = true;
    if (!told.heard && !isReplaying)
      throw new Error(
        'The code of this workflow does not end. The task is done again, with a signal that reports this to the workflow.',
      );
  }

  /** The execution has failed, and may run again when somebody asks for it. */
  #forget(runId: string): void {
    if (this.#told.get(runId)?.heard) this.#told.delete(runId);
  }
}

const APART =
  'The workflow is isolated. Fix the code, and start workers with the new build. It then continues automatically.';
