import { workflowInfo } from '@temporalio/workflow';
import type { Tree, TreeRecord } from '../components/index.js';
import { originIn, type DeploymentOrigin } from '../protocol/deployment-origin.js';
import { deploymentWorkflowId } from '../protocol/names.js';
import type { RecordDriver } from '../recording/driver.js';
import { RecordOutbox } from '../recording/record-outbox.js';
import { keepNowAndThen } from './keep-now-and-then.js';
import { runOfThis, type Run } from './run.js';
import { TreeRecords, type CarriedTelling } from './tree-records.js';

/** How much is carried into the next run, in characters of JSON: it goes in one message with the tree, which may be large. */
const CARRIED_CHARACTERS = 32 * 1024;

/**
 * Tells the store how a deployment goes: at once without a promise, and for good now and then, before a run ends, and at the end.
 * Nothing in the tree waits for that. S5.2, W1
 */
export class DeploymentTelling {
  readonly origin: DeploymentOrigin;
  readonly #run: Run = runOfThis();
  readonly #outbox: RecordOutbox;
  readonly #records: TreeRecords;
  #over = false;

  private constructor(driver: RecordDriver, tree: Tree, carried: CarriedTelling | undefined) {
    const { workflowId, firstExecutionRunId: life, memo } = workflowInfo();
    // Somebody may have started the workflow by themselves.
    const root = tree.components[tree.root];
    this.origin = originIn(memo) ?? { component: (root && tree.descriptions[root.description]?.kind) ?? '' };
    this.#outbox = new RecordOutbox(driver, () => this.#run.clock.now(), carried?.records, CARRIED_CHARACTERS);
    const own = deploymentWorkflowId('');
    // What a state has deployed has no name of its own.
    const name = workflowId.startsWith(own) ? workflowId.slice(own.length) : workflowId;
    const at = this.#run.clock.now();
    this.#records = new TreeRecords({ name, life, origin: this.origin }, this.#outbox, { tree, at, carried });
  }

  static begin(driver: RecordDriver, tree: Tree, carried: CarriedTelling | undefined): DeploymentTelling {
    return new DeploymentTelling(driver, tree, carried);
  }

  note(record: TreeRecord): void {
    this.#records.note(record);
  }

  /** The components of this tree go on elsewhere. */
  left(tree: Tree): void {
    this.#records.leave(tree, this.#run.clock.now());
    // The tree that stays has not changed by that.
    this.offer();
  }

  /** The tree waits. */
  offer(): void {
    this.#outbox.offer();
  }

  /** Whether nothing is to be brought before the run ends. */
  get mayEndRun(): boolean {
    return this.#outbox.idle && !this.#outbox.due;
  }

  /** For the next run. */
  carried(): CarriedTelling {
    return this.#records.carried();
  }

  /**
   * Brings records now and then, until the run is over. Before a long run ends, it waits until no call is under way: what comes in
   * meanwhile in large numbers makes the server give up the task in which records are kept.
   */
  async run(isIdle: () => boolean): Promise<void> {
    await keepNowAndThen(this.#outbox, this.#run.clock, {
      isOver: () => this.#over,
      hurries: () => this.#run.isLong && isIdle(),
    });
  }

  /** Brings everything, before the workflow ends. */
  async leave(): Promise<void> {
    this.#over = true;
    this.#outbox.offer();
    this.#outbox.rest();
    await this.#outbox.leave();
  }
}
