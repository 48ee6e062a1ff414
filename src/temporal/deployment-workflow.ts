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
  upsertSearchAttributes,
  workflowInfo,
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
  type TreeRecord,
} from '../components/index.js';
import { DeclarationError } from '../definition/declaration-error.js';
import { CallFailed } from '../definition/action-errors.js';
import type { Call } from '../definition/resource.js';
import { parseDeploymentMessage, type DeploymentMessage } from '../protocol/deployment.js';
import { attributesAtDeployment, memoOf, type DeploymentOrigin } from '../protocol/deployment-origin.js';
import { DEPLOYMENT_TYPE, deploymentWorkflowId, SEARCH_ATTRIBUTES, TREE_QUERY } from '../protocol/names.js';
import type { CallEnvelope } from './call-envelope.js';
import type { RecordDriver } from '../recording/driver.js';
import { tellDeployment } from './delivery.js';
import { DeploymentTelling } from './deployment-telling.js';
import { HeardRequests } from './heard-requests.js';
import { failureOfCall, isUntaken, makeCall } from './make-call.js';
import { runOfThis, type Run } from './run.js';
import type { CarriedTelling } from './tree-records.js';
import { untilHolds } from './until-holds.js';

const treeQuery = defineQuery<Tree>(TREE_QUERY);

/** What a run of a deployment is started with. */
export type DeploymentInput =
  | { readonly kind: 'deploy'; readonly name: string; readonly description: Description }
  /** A tree that another one has let go: it begins there, or goes on. */
  | { readonly kind: 'detached'; readonly tree: Tree; readonly begins: boolean }
  /** The tree with which the run before it ended. */
  | {
      readonly kind: 'continue';
      readonly tree: Tree;
      readonly heard: readonly string[];
      readonly told: CarriedTelling;
    };

export interface DeploymentSettings extends TreeProgram {
  /** The calls that trees can make, by their activities. */
  readonly calls: ReadonlyMap<string, Call>;
  /** Takes what happens, for the store. S5.2 */
  readonly records: RecordDriver;
}

/** One run of a deployment's workflow: a tree of components that runs on its own. It completes with the tree's end. W1 */
export async function deploymentWorkflow(input: DeploymentInput, settings: DeploymentSettings): Promise<End> {
  const heard = new HeardRequests(input.kind === 'continue' ? input.heard : []);
  const clock = runOfThis().clock;
  const tree = treeOf(input, settings, clock.now());
  const telling = DeploymentTelling.begin(settings.records, tree, input.kind === 'continue' ? input.told : undefined);
  const driver = new TemporalTreeDriver(settings, heard, telling);
  const shell = new TreeShell(settings, driver, tree);
  driver.serve(shell);
  if (input.kind === 'deploy' || (input.kind === 'detached' && input.begins)) shell.tell({ kind: 'deploy' });
  else shell.resume();
  void telling.run();
  const end = await shell.run();
  if (end !== 'rollover') {
    await telling.leave();
    return end;
  }
  const next: DeploymentInput = { kind: 'continue', tree: shell.tree, heard: heard.carried, told: telling.carried() };
  return continueAsNew<(next: DeploymentInput) => Promise<never>>(next);
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
  readonly #heard: HeardRequests;
  readonly #telling: DeploymentTelling;
  readonly #scopes = new Map<string, CancellationScope>();

  constructor(settings: DeploymentSettings, heard: HeardRequests, telling: DeploymentTelling) {
    this.#settings = settings;
    this.#heard = heard;
    this.#telling = telling;
  }

  get #origin(): DeploymentOrigin {
    return this.#telling.origin;
  }

  serve(shell: TreeShell): void {
    setHandler(treeQuery, () => shell.tree, { description: 'The tree of components, as data.' });
    setDefaultSignalHandler((name, content) => {
      const message = parseDeploymentMessage(content);
      if (!message) return log.warn(`dropped the signal '${name}'`, { reason: 'it is no message for a deployment' });
      const { request, tenant, ...input } = message;
      if (this.#isAnothers(tenant)) log.warn(`dropped the signal '${name}'`, { reason: 'it is of another tenant' });
      else if (this.#heard.isNew(request)) shell.tell(input as TreeInput);
    });
  }

  /** What belongs to one tenant tells nothing to what belongs to another. S6.5 */
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
    const { tenant } = this.#origin;
    const from = tenant === undefined ? {} : { tenant };
    switch (effect.kind) {
      case 'send': {
        const passed = [...effect.passed];
        return tellTree(effect.to, (path) => ({ kind: 'event', path, event: effect.event, passed, ...from }));
      }
      case 'register':
        return tellTree(effect.at, (path) => ({ kind: 'register', path, listener: effect.listener, ...from }));
      case 'terminate':
        return tellTree(effect.path, (path) => ({ kind: 'terminate', path, end: effect.end, ...from }));
      case 'set': {
        const value = effect.value === undefined ? {} : { value: effect.value as never };
        return tellTree(effect.path, (path) => ({ kind: 'set', path, name: effect.name, ...value, ...from }));
      }
    }
  }

  async detach({ key, tree, host }: Detachment): Promise<Result> {
    const input: DeploymentInput = { kind: 'detached', tree, begins: key !== undefined };
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
    const now = this.now();
    setCurrentDetails(['```', drawTree(explainTree(this.#settings.kinds, tree, now), now), '```'].join('\n'));
  }

  #showPhase({ components, root }: Tree): void {
    const phase = components[root]?.phase;
    if (phase === undefined || workflowInfo().searchAttributes[SEARCH_ATTRIBUTES.state]?.[0] === phase) return;
    upsertSearchAttributes({ [SEARCH_ATTRIBUTES.state]: [phase] });
  }

  runIsLong(): boolean {
    return this.#run.isLong && this.#run.isOldEnough;
  }

  mayEndRun(): boolean {
    return allHandlersFinished() && this.#telling.mayEndRun;
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
