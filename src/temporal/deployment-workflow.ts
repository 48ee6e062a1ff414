import {
  allHandlersFinished,
  CancellationScope,
  defineQuery,
  isCancellation,
  log,
  ParentClosePolicy,
  setDefaultSignalHandler,
  setHandler,
  startChild,
  upsertSearchAttributes,
  workflowInfo,
} from '@temporalio/workflow';
import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  addressed,
  drawTree,
  explainTree,
  runDeployment,
  treeToRun,
  type DeploymentDriver,
  type DeploymentHandlers,
  type DeploymentInput,
  type Detachment,
  type End,
  type LengthOfRun,
  type Result,
  type Tree,
  type TreeCall,
  type TreeMessage,
  type TreeProgram,
  type TreeRecord,
} from '../components/index.js';
import { CallFailed } from '../definition/action-errors.js';
import { parseDeploymentMessage } from '../protocol/deployment.js';
import { attributesAtDeployment, memoOf, type DeploymentOrigin } from '../protocol/deployment-origin.js';
import { DEPLOYMENT_TYPE, SEARCH_ATTRIBUTES, TREE_QUERY } from '../protocol/names.js';
import type { LivingRef } from '../protocol/refs.js';
import type { DeploymentWord } from '../protocol/state-deployment.js';
import type { RecordDriver } from '../recording/driver.js';
import type { CallEnvelope } from './call-envelope.js';
import { sendMessage, tellDeployment } from './delivery.js';
import { DeploymentTelling } from './deployment-telling.js';
import { goOn } from './go-on.js';
import { HeardRequests } from './heard-requests.js';
import { failureOfCall, isUntaken, makeCall } from './make-call.js';
import { runOfThis, type Run } from './run.js';
import type { CarriedTelling } from './tree-records.js';
import { untilHolds } from './until-holds.js';
import { messageOf } from '../definition/thrown.js';

const treeQuery = defineQuery<Tree>(TREE_QUERY);

/** The input that a run of a deployment's workflow is started with. */
type WorkflowInput = DeploymentInput & {
  /** The requests that the runs before it have heard, and what they have told the store. */
  readonly heard?: readonly string[];
  readonly told?: CarriedTelling;
};

/** One run of a deployment's workflow: a tree of components that runs on its own. It completes with the tree's end. W1 */
export async function deploymentWorkflow(
  input: WorkflowInput,
  program: TreeProgram,
  records: RecordDriver,
): Promise<End> {
  const begun = treeToRun(program, input, runOfThis().clock.now());
  if (begun.kind === 'refused') throw ApplicationFailure.nonRetryable(begun.message, 'invalid_description');
  const heard = new HeardRequests(input.heard ?? []);
  const telling = new DeploymentTelling(records, begun.tree, input.told);
  const driver = new TemporalTreeDriver(program, heard, telling);
  void telling.keepWhenIdle(() => driver.isIdle);
  const end = await runDeployment(program, driver, begun.tree, input);
  if (end.kind === 'ended') {
    await telling.leave();
    return end.end;
  }
  const next: WorkflowInput = { ...end.next, heard: heard.carried, told: telling.carried() };
  return goOn(next);
}

class TemporalTreeDriver implements DeploymentDriver {
  readonly #run: Run = runOfThis();
  readonly #program: TreeProgram;
  readonly #heard: HeardRequests;
  readonly #telling: DeploymentTelling;
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(program: TreeProgram, heard: HeardRequests, telling: DeploymentTelling) {
    this.#program = program;
    this.#heard = heard;
    this.#telling = telling;
  }

  /** Tells whether no call is under way. */
  get isIdle(): boolean {
    return this.#scopes.size === 0;
  }

  get #origin(): DeploymentOrigin {
    return this.#telling.origin;
  }

  serve({ tree, message }: DeploymentHandlers): void {
    setHandler(treeQuery, tree, { description: 'The tree of components, as data.' });
    this.#run.details = () => this.#describe(tree());
    setDefaultSignalHandler((name, content) => {
      const said = parseDeploymentMessage(content);
      if (!said) return log.warn(`dropped the signal '${name}'`, { reason: 'it is no message for a deployment' });
      if (this.#isAnothers(said.tenant))
        log.warn(`dropped the signal '${name}'`, { reason: 'it is of another tenant' });
      else if (this.#heard.isNew(said.request)) message(said);
    });
  }

  /** Tells whether a tenant is not its own: whatever belongs to one tells nothing to what belongs to another. S6.5 */
  #isAnothers(tenant: string | undefined): boolean {
    const { tenant: mine } = this.#origin;
    return tenant !== undefined && mine !== undefined && tenant !== mine;
  }

  now(): number {
    return this.#run.clock.now();
  }

  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean> {
    return this.#run.clock.until(untilHolds(summary), predicate, timeoutMs);
  }

  quiet(): Promise<void> {
    return this.#run.clock.quiet(untilHolds(undefined));
  }

  moment(): number {
    return this.#run.clock.moment;
  }

  async call({ activity, input, key, host, reachWithin }: TreeCall): Promise<Result | undefined> {
    const call = this.#program.calls.get(activity);
    if (!call) return failure('unknown_call', `No resource with the call '${activity}' is known to the deployments.`);
    if (call.shape.answer === 'callback')
      return failure(
        'not_supported',
        `'${activity}' is answered from outside, and a deployment cannot wait for that. Run the components in an action.`,
      );
    const envelope: CallEnvelope = { input, idempotencyKey: key };
    const scope = new CancellationScope();
    this.#scopes.set(key, scope);
    try {
      const where = { taskQueue: host, takenWithinMs: reachWithin };
      const { output } = await scope.run(() => makeCall(call, envelope, where));
      return output === undefined ? {} : { output: output as never };
    } catch (thrown) {
      if (isCancellation(thrown)) return undefined;
      if (isUntaken(thrown))
        return failure('host_unreachable', `No worker on '${host}' has taken '${activity}' in time.`);
      const failed = failureOfCall(call, thrown);
      return failed instanceof CallFailed
        ? failure(failed.code, failed.message)
        : failure('call_failed', messageOf(failed));
    } finally {
      if (this.#scopes.get(key) === scope) this.#scopes.delete(key);
    }
  }

  cancel(key: string): void {
    this.#scopes.get(key)?.cancel();
  }

  tell(message: TreeMessage): Promise<'delivered' | 'absent'> {
    const { tenant } = this.#origin;
    const { run, said } = addressed(message);
    return tellDeployment(run, { ...said, ...(tenant !== undefined && { tenant }) });
  }

  async detach({ key, tree, host }: Detachment): Promise<Result> {
    const launcher = key !== undefined && { launcher: { run: workflowInfo().workflowId, key } };
    const input: DeploymentInput = { kind: 'detached', tree, ...launcher };
    const { component, tenant, subject } = this.#origin;
    const origin: DeploymentOrigin = {
      ...{ component, detachedFrom: workflowInfo().workflowId },
      ...(tenant !== undefined && { tenant }),
      ...(subject !== undefined && { subject }),
    };
    try {
      await startChild(DEPLOYMENT_TYPE, {
        workflowId: tree.run,
        args: [input],
        memo: memoOf(origin),
        searchAttributes: attributesAtDeployment(origin),
        ...(host !== undefined && { taskQueue: host }),
        parentClosePolicy: ParentClosePolicy.ABANDON,
      });
      if (key === undefined) this.#telling.left(tree);
      return {};
    } catch (thrown) {
      if (!(thrown instanceof WorkflowExecutionAlreadyStartedError)) throw thrown;
      return failure('exists', `There is a deployment at ${tree.run} already.`);
    }
  }

  record(record: TreeRecord): void {
    const { message, component, of } = record;
    if (message === undefined) this.#telling.note(record);
    else log.info(message, { component: component || of });
  }

  show(tree: Tree): void {
    this.#showPhase(tree);
    this.#telling.offer();
  }

  #describe(tree: Tree): string {
    const now = this.now();
    return ['```', drawTree(explainTree(this.#program.kinds, tree, now), now), '```'].join('\n');
  }

  #showPhase({ components, root }: Tree): void {
    const phase = components[root]?.phase;
    if (phase === undefined || workflowInfo().searchAttributes[SEARCH_ATTRIBUTES.state]?.[0] === phase) return;
    upsertSearchAttributes({ [SEARCH_ATTRIBUTES.state]: [phase] });
  }

  runLength(): LengthOfRun {
    if (!this.#run.isOver || !this.#run.isOldEnough) return 'short';
    return this.#run.length.isVeryLong ? 'very long' : 'long';
  }

  mayEndRun(): boolean {
    return allHandlersFinished() && this.#telling.mayEndRun;
  }

  tellOwner({ type, key, life }: LivingRef, word: DeploymentWord): Promise<'delivered' | 'absent'> {
    return sendMessage({ type, key }, { kind: 'deployment', toLife: life, ...word });
  }
}

function failure(code: string, message: string): Result {
  return { error: { code, message } };
}
