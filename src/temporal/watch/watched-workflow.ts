import type { SdkWorkflow, WatchedThread } from './watched-thread.js';

/** The part of an activation that matters here. */
export interface Activation {
  readonly isReplaying?: boolean | null;
  readonly jobs?: readonly { readonly signalWorkflow?: { readonly signalName?: string | null } | null }[] | null;
}

interface WatchedWorkflowHost {
  /** @throws when the activation must not run */
  activating(activation: Activation): void;
  /** It has run to its end. */
  activated(): void;
  /** Tells what has ended its thread. */
  ended(): string;
  disposed(): void;
}

/** One workflow in a thread. */
export class WatchedWorkflow implements SdkWorkflow {
  readonly #thread: WatchedThread;
  readonly #made: SdkWorkflow;
  readonly #host: WatchedWorkflowHost;

  constructor(thread: WatchedThread, made: SdkWorkflow, host: WatchedWorkflowHost) {
    this.#thread = thread;
    this.#made = made;
    this.#host = host;
  }

  async activate(activation: Activation): Promise<object> {
    this.#host.activating(activation);
    const completion = await this.#whileThreadLives(() => this.#made.activate(activation));
    this.#host.activated();
    return completion;
  }

  /** A task whose calls of sinks are lost is done again too: the thread may end while it is asked, by the code of another workflow. */
  getAndResetSinkCalls(): Promise<readonly object[]> {
    return this.#whileThreadLives(() => this.#made.getAndResetSinkCalls());
  }

  async #whileThreadLives<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (thrown) {
      // The SDK would end the worker.
      if (!this.#thread.ending) throw thrown;
      await this.#thread.ending;
      throw new Error(this.#host.ended(), { cause: thrown });
    }
  }

  async dispose(): Promise<void> {
    this.#host.disposed();
    await this.#made.dispose();
  }
}

/** A workflow whose tasks fail. */
export class FailingWorkflow implements SdkWorkflow {
  readonly #why: string;

  constructor(why: string) {
    this.#why = why;
  }

  async activate(): Promise<object> {
    throw new Error(this.#why);
  }

  async getAndResetSinkCalls(): Promise<readonly object[]> {
    return [];
  }

  async dispose(): Promise<void> {}
}
