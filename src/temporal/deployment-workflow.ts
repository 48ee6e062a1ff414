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
  checkComponents,
  drawTree,
  explainTree,
  plant,
  TreeShell,
  type Description,
  type Detachment,
  type End,
  type Result,
  type Tree,
  type TreeCall,
  type TreeDriver,
  type TreeInput,
  type TreeMessage,
  type TreeProgram,
} from '../components/index.js';
import { DeclarationError } from '../definition/declaration-error.js';
import { CallFailed } from '../definition/action-errors.js';
import type { Call } from '../definition/resource.js';
import { parseDeploymentMessage, type DeploymentMessage } from '../protocol/deployment.js';
import { DEPLOYMENT_TYPE, deploymentWorkflowId, TREE_QUERY } from '../protocol/names.js';
import type { CallEnvelope } from './call-envelope.js';
import { tellDeployment } from './delivery.js';
import { failureOfCall, isUntaken, makeCall } from './make-call.js';
import { runOfThis, type Run } from './run.js';
import { untilHolds } from './until-holds.js';

const treeQuery = defineQuery<Tree>(TREE_QUERY);

/** What a run of a deployment is started with. */
export type DeploymentInput =
  | { readonly kind: 'deploy'; readonly name: string; readonly description: Description }
  /** A tree that another one has let go: it begins there, or goes on. */
  | { readonly kind: 'detached'; readonly tree: Tree; readonly begins: boolean }
  /** The tree with which the run before it ended. */
  | { readonly kind: 'continue'; readonly tree: Tree };

export interface DeploymentSettings extends TreeProgram {
  /** The calls that trees can make, by their activities. */
  readonly calls: ReadonlyMap<string, Call>;
}

/** One run of a deployment's workflow: a tree of components that runs on its own. It completes with the tree's end. W1 */
export async function deploymentWorkflow(input: DeploymentInput, settings: DeploymentSettings): Promise<End> {
  const driver = new TemporalTreeDriver(settings);
  const shell = new TreeShell(settings, driver, treeOf(input, settings, driver.now()));
  driver.serve(shell);
  if (input.kind === 'deploy' || (input.kind === 'detached' && input.begins)) shell.tell({ kind: 'deploy' });
  else shell.resume();
  const end = await shell.run();
  if (end !== 'rollover') return end;
  return continueAsNew<(next: DeploymentInput) => Promise<never>>({ kind: 'continue', tree: shell.tree });
}

function treeOf(input: DeploymentInput, { kinds }: TreeProgram, at: number): Tree {
  if (input.kind !== 'deploy') return input.tree;
  const { name, description } = input;
  try {
    checkComponents(kinds, description);
  } catch (thrown) {
    if (!(thrown instanceof DeclarationError)) throw thrown;
    throw ApplicationFailure.nonRetryable(thrown.message, 'invalid_description');
  }
  return plant(kinds, { run: deploymentWorkflowId(name), at, description });
}

class TemporalTreeDriver implements TreeDriver {
  readonly #run: Run = runOfThis();
  readonly #settings: DeploymentSettings;
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(settings: DeploymentSettings) {
    this.#settings = settings;
  }

  serve(shell: TreeShell): void {
    setHandler(treeQuery, () => shell.tree, { description: 'The tree of components, as data.' });
    setDefaultSignalHandler((name, content) => {
      const message = parseDeploymentMessage(content);
      if (message) shell.tell(message as TreeInput);
      else log.warn(`dropped the signal '${name}'`, { reason: 'it is no message for a deployment' });
    });
  }

  now(): number {
    return this.#run.clock.now();
  }

  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean> {
    return this.#run.clock.until(untilHolds(summary), predicate, timeoutMs);
  }

  /** What an answer has set off is over when a timer has ended. */
  async quiet(): Promise<void> {
    await this.until(() => false, 1, 'goes on where it was in the last run');
  }

  async call({ activity, input, key, host, reachWithin }: TreeCall): Promise<Result | undefined> {
    const call = this.#settings.calls.get(activity);
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

  tell(effect: TreeMessage): Promise<void> {
    switch (effect.kind) {
      case 'send':
        return tellTree(effect.to, (path) => ({
          kind: 'event',
          path,
          event: effect.event,
          passed: [...effect.passed],
        }));
      case 'register':
        return tellTree(effect.at, (path) => ({ kind: 'register', path, listener: effect.listener }));
      case 'terminate':
        return tellTree(effect.path, (path) => ({ kind: 'terminate', path, end: effect.end }));
      case 'set':
        return tellTree(effect.path, (path) => ({
          ...{ kind: 'set', path, name: effect.name },
          ...(effect.value !== undefined && { value: effect.value as never }),
        }));
    }
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
    setCurrentDetails(['```', drawTree(explainTree(this.#settings.kinds, tree, now), now), '```'].join('\n'));
  }

  runIsLong(): boolean {
    return this.#run.isLong && this.#run.isOldEnough;
  }

  mayEndRun(): boolean {
    return allHandlersFinished();
  }
}

/** Tells the tree of an absolute reference, `/deployment/shop/h1`: its first two names are those of the workflow. */
async function tellTree(reference: string, message: (path: string) => DeploymentMessage): Promise<void> {
  const [, type = '', name = '', ...path] = reference.split('/');
  await tellDeployment(`${type}/${name}`, message(path.join('/')));
}

function failure(code: string, message: string): Result {
  return { error: { code, message } };
}
