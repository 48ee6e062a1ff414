import {
  allHandlersFinished,
  CancellationScope,
  continueAsNew,
  defineQuery,
  isCancellation,
  log,
  ParentClosePolicy,
  setCurrentDetails,
  setDefaultSignalHandler,
  setHandler,
  startChild,
} from '@temporalio/workflow';
import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  addressed,
  drawTree,
  explainTree,
  runDeployment,
  type DeploymentDriver,
  type DeploymentHandlers,
  type DeploymentInput,
  type Detachment,
  type End,
  type Result,
  type Tree,
  type TreeCall,
  type TreeMessage,
  type TreeProgram,
} from '../components/index.js';
import { CallFailed } from '../definition/action-errors.js';
import { DEPLOYMENT_TYPE, TREE_QUERY } from '../protocol/names.js';
import type { LivingRef } from '../protocol/refs.js';
import type { DeploymentWord } from '../protocol/state-deployment.js';
import type { CallEnvelope } from './call-envelope.js';
import { sendMessage, tellDeployment } from './delivery.js';
import { failureOfCall, isUntaken, makeCall } from './make-call.js';
import { runOfThis, type Run } from './run.js';
import { untilHolds } from './until-holds.js';

const treeQuery = defineQuery<Tree>(TREE_QUERY);

/** One run of a deployment's workflow: a tree of components that runs on its own. It completes with the tree's end. W1 */
export async function deploymentWorkflow(input: DeploymentInput, program: TreeProgram): Promise<End> {
  const end = await runDeployment(program, new TemporalTreeDriver(program), input);
  switch (end.kind) {
    case 'ended':
      return end.end;
    case 'refused':
      throw ApplicationFailure.nonRetryable(end.message, 'invalid_description');
    case 'rollover':
      return continueAsNew<(next: DeploymentInput) => Promise<never>>(end.next);
  }
}

class TemporalTreeDriver implements DeploymentDriver {
  readonly #run: Run = runOfThis();
  readonly #program: TreeProgram;
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(program: TreeProgram) {
    this.#program = program;
  }

  serve({ tree, message }: DeploymentHandlers): void {
    setHandler(treeQuery, tree, { description: 'The tree of components, as data.' });
    setDefaultSignalHandler((name, content) => {
      if (!message(content)) log.warn(`dropped the signal '${name}'`, { reason: 'it is no message for a deployment' });
    });
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

  async call({ activity, input, key, host, reachWithin }: TreeCall): Promise<Result | undefined> {
    const call = this.#program.calls.get(activity);
    if (!call) return failure('unknown_call', `No resource with the call '${activity}' is known to the deployments.`);
    if (call.shape.answer === 'callback')
      return failure('not_supported', `'${activity}' is answered from outside, for which components cannot wait yet.`);
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
        : failure('call_failed', String((failed as Error).message));
    } finally {
      if (this.#scopes.get(key) === scope) this.#scopes.delete(key);
    }
  }

  cancel(key: string): void {
    this.#scopes.get(key)?.cancel();
  }

  async tell(message: TreeMessage): Promise<void> {
    const { run, said } = addressed(message);
    await tellDeployment(run, said);
  }

  async detach({ key, tree, host }: Detachment): Promise<Result> {
    const input: DeploymentInput = { kind: 'detached', tree, begins: key !== undefined };
    try {
      await startChild(DEPLOYMENT_TYPE, {
        workflowId: tree.run,
        args: [input],
        ...(host !== undefined && { taskQueue: host }),
        parentClosePolicy: ParentClosePolicy.ABANDON,
      });
      return {};
    } catch (thrown) {
      if (!(thrown instanceof WorkflowExecutionAlreadyStartedError)) throw thrown;
      return failure('exists', `There is a deployment at ${tree.run} already.`);
    }
  }

  record(): void {
    // The tree itself, which the query gives, tells all that is shown so far.
  }

  show(tree: Tree): void {
    const now = this.now();
    setCurrentDetails(['```', drawTree(explainTree(this.#program.kinds, tree, now), now), '```'].join('\n'));
  }

  runIsLong(): boolean {
    return this.#run.isLong && this.#run.isOldEnough;
  }

  mayEndRun(): boolean {
    return allHandlersFinished();
  }

  tellOwner({ type, key, life }: LivingRef, word: DeploymentWord): Promise<'delivered' | 'absent'> {
    return sendMessage({ type, key }, { kind: 'deployment', toLife: life, ...word });
  }
}

function failure(code: string, message: string): Result {
  return { error: { code, message } };
}
