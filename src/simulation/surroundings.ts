import type { CallbackAnswer, CallbackQuestion } from '../protocol/callback.js';
import type { Snapshot } from '../protocol/snapshot.js';
import type { CallWorkers } from './call-workers.js';
import type { Deliveries } from './deliveries.js';
import type { Subject } from './fact.js';
import type { Faults } from './fault.js';
import type { RecordShelf } from './record-shelf.js';
import type { CallExecution, FakeResources } from './resources.js';
import type { Trace } from './trace.js';
import type { Witness } from './witness.js';
import type { Workflow } from './workflow.js';

/** The world, as those parts see it that carry something through it. */
export interface Surroundings {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly deliveries: Deliveries;
  readonly trace: Trace;
  readonly witness: Witness;
  readonly resources: FakeResources;
  readonly shelf: RecordShelf;
  readonly faults: Faults;
  readonly executions: CallExecution[];
  readonly callWorkers: CallWorkers;
  /** The last workflow of this id, whether it runs or not. */
  workflow(id: string): Workflow | undefined;
  running(id: string): Workflow | undefined;
  /** Starts a workflow, unless one with this id runs; `again` also when one has run before. */
  start(type: string, id: string, argument: unknown, again: boolean): 'created' | 'exists';
  /** The last snapshot of an entity's last life; nothing while it lives, or when it was terminated. */
  lastLife(id: string): Snapshot | undefined;
  /** An answer from outside is on its way, and arrives at a time (milliseconds since 1970). A1 */
  answerOutside(question: CallbackQuestion, answer: CallbackAnswer, at: number): void;
  subject(workflow: Workflow): Subject | undefined;
  /** Lets its worker die and another one take over. @throws InvariantViolated when the replay differs */
  restart(workflow: Workflow): Promise<void>;
}
