import { Worker as Thread } from 'node:worker_threads';
import type { EndlessReason } from '../../protocol/endless-code.js';
import { fromWorkerSdk } from '../worker-sdk.js';
import { cpuTime } from './cpu-time.js';
import { Marks, type Occupant } from './marks.js';
import { ownOptions, threadScript } from './thread-script.js';
import { LOOK_EVERY_MS, TurnWatch } from './turn-watch.js';

/** The data that a workflow thread begins with. */
export interface ThreadData {
  readonly memory: SharedArrayBuffer;
}

/** The SDK's side of a workflow thread (1.24, `worker/src/workflow/threaded-vm.ts`). */
export interface ThreadClient {
  send(input: object): Promise<unknown>;
  destroy(): Promise<void>;
}
export interface SdkThreads {
  readonly WorkerThreadClient: new (thread: Thread, logger: unknown, patches: unknown) => ThreadClient;
  readonly VMWorkflowThreadProxy: {
    create(client: ThreadClient, options: object): Promise<SdkWorkflow>;
  };
  readonly ThreadedVMWorkflowCreator: { create(options: CreatorOptions): Promise<unknown> };
}
export interface SdkWorkflow {
  activate(activation: object): Promise<object>;
  getAndResetSinkCalls(): Promise<readonly object[]>;
  dispose(): Promise<void>;
}
export interface CreatorOptions {
  readonly workflowBundle: object;
  readonly reuseV8Context: boolean;
  readonly registeredActivityNames: Set<string>;
  readonly logger: { error(message: string, attributes?: object): void };
  readonly patchActivationCallback?: unknown;
}

/** @throws MissingPackage when `@temporalio/worker` is not installed */
export function sdkThreads(): SdkThreads {
  return fromWorkerSdk('/lib/workflow/threaded-vm');
}

/** Why a thread has ended before its worker. */
export interface Ending {
  readonly why: EndlessReason | 'failed';
  /** Whose code did it; nobody where that is not sure. */
  readonly by?: Occupant;
  readonly error?: Error;
}

/** A thread in which workflow code runs, until it is destroyed, or its code does not end. */
export class WatchedThread {
  readonly #client: ThreadClient;
  /** Tells whether the bundle is loaded. */
  readonly ready: Promise<unknown>;
  readonly #thread: Thread;
  readonly #marks = new Marks();
  readonly #watch = new TurnWatch();
  readonly #looks: NodeJS.Timeout;
  #ending: Promise<void> | undefined;
  #isReady = false;

  /** @param ended is called once when it ends too early; whoever was in the thread hears of that after it */
  constructor(options: CreatorOptions, ended: (ending: Ending) => Promise<void>) {
    const { workflowBundle, reuseV8Context, registeredActivityNames, logger, patchActivationCallback } = options;
    const workerData: ThreadData = { memory: this.#marks.memory };
    this.#thread = new Thread(threadScript('workflow-thread'), { workerData, ...ownOptions() });
    this.#client = new (sdkThreads().WorkerThreadClient)(this.#thread, logger, patchActivationCallback);
    let isExpected = false;
    const end = (ending: Ending) => (this.#ending ??= ended(ending));
    this.#thread.once('error', (error: Error & { code?: string }) => {
      const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
      // Where others have filled it, the one that ran at last is not to blame.
      const isSure = isMemory && this.#marks.turn !== 0 && this.#marks.beganFree;
      void end({ why: isMemory ? 'memory' : 'failed', error, ...(isSure && { by: this.#marks.occupant }) });
    });
    this.#looks = setInterval(() => {
      if (isExpected || !this.#watch.look(this.#marks.turn, () => cpuTime(this.#marks.thread))) return;
      isExpected = true;
      void end({ why: 'endless', by: this.#marks.occupant }).then(() => this.#thread.terminate());
    }, LOOK_EVERY_MS);
    this.#looks.unref();
    this.#thread.once('exit', () => clearInterval(this.#looks));
    this.ready = this.#client.send({
      ...{ type: 'init', workflowBundle, reuseV8Context, registeredActivityNames },
      // The SDK's own limit ends the whole process: V8 ends the code in the middle of Node's hooks. The watch takes its place.
      isolateExecutionTimeoutMs: undefined,
      hasPatchActivationCallback: patchActivationCallback !== undefined,
    });
    // Nobody may wait for it when it fails.
    this.ready.then(
      () => (this.#isReady = true),
      () => undefined,
    );
  }

  async create(options: object): Promise<SdkWorkflow> {
    await this.ready;
    return sdkThreads().VMWorkflowThreadProxy.create(this.#client, options);
  }

  /** Tells whether the bundle was loaded. One that could not be loaded will not be the next time. */
  get wasReady(): boolean {
    return this.#isReady;
  }

  /** Ends when it is known to have ended too early, and all who have to know were told. */
  get ending(): Promise<void> | undefined {
    return this.#ending;
  }

  async destroy(): Promise<void> {
    clearInterval(this.#looks);
    if (!this.#ending) await this.#client.destroy();
  }
}
