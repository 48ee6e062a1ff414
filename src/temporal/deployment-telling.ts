import { workflowInfo } from '@temporalio/workflow';
import type { Tree, TreeRecord } from '../components/index.js';
import { originIn, type DeploymentOrigin } from '../protocol/deployment-origin.js';
import { deploymentWorkflowId } from '../protocol/names.js';
import type { RecordDriver } from '../recording/driver.js';
import { Telling } from './telling.js';
import { TreeRecords, type CarriedTelling } from './tree-records.js';

/** How much is carried into the next run, in bytes of JSON: it goes in one message with the tree, which may be large. */
const CARRIED_BYTES = 32 * 1024;

/** The report of a deployment to the store. W1 */
export class DeploymentTelling extends Telling {
  readonly origin: DeploymentOrigin;
  readonly #records: TreeRecords;

  constructor(driver: RecordDriver, tree: Tree, carried: CarriedTelling | undefined) {
    super(driver, carried?.records, CARRIED_BYTES);
    const { workflowId, firstExecutionRunId: life, memo } = workflowInfo();
    // Somebody may have started the workflow by themselves.
    const root = tree.components[tree.root];
    this.origin = originIn(memo) ?? { component: (root && tree.descriptions[root.description]?.kind) ?? '' };
    const own = deploymentWorkflowId('');
    // A tree that a state has deployed has no name of its own.
    const name = workflowId.startsWith(own) ? workflowId.slice(own.length) : workflowId;
    const at = this.run.clock.now();
    this.#records = new TreeRecords({ name, life, origin: this.origin }, this.outbox, { tree, at, carried });
  }

  note(record: TreeRecord): void {
    this.#records.note(record);
  }

  /** The components of this tree go on elsewhere. */
  left(tree: Tree): void {
    this.#records.leave(tree, this.run.clock.now());
    // The tree that stays has not changed by that.
    this.offer();
  }

  /** For the next run. */
  carried(): CarriedTelling {
    return this.#records.carried();
  }

  /**
   * Brings records now and then, until the run is over. Before a long run ends, it waits until no call is under way: what comes in
   * meanwhile in large numbers makes the server give up the task in which records are kept.
   */
  keepWhenIdle(isIdle: () => boolean): Promise<void> {
    return this.keep(() => this.run.isLong && isIdle());
  }
}
