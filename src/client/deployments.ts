import {
  WorkflowExecutionAlreadyStartedError,
  WorkflowFailedError,
  WorkflowNotFoundError,
  type Client,
  type WorkflowHandle,
} from '@temporalio/client';
import {
  checkComponents,
  explainTree,
  kindsOf,
  statusOf,
  type AnyComponent,
  type Description,
  type End,
  type Explanation,
  type Json,
  type Kind,
  type Kinds,
  type Tree,
} from '../components/index.js';
import { contentFingerprint } from '../kernel/index.js';
import { ALL_TENANTS, type Actor } from '../protocol/actor.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import { deploymentMessageName } from '../protocol/message-names.js';
import { attributesAtDeployment, memoOf, type DeploymentOrigin } from '../protocol/deployment-origin.js';
import { Rejected } from '../protocol/errors.js';
import { DEPLOYMENT_TYPE, deploymentWorkflowId, SEARCH_ATTRIBUTES, TREE_QUERY } from '../protocol/names.js';
import { ask } from '../temporal/ask.js';
import { answerInTime } from './answer-in-time.js';
import { foundDeployment, type FoundDeployment } from './found-deployment.js';
import { quoted } from './live/quoted.js';
import { listVisible, type PageRequest } from './live/visibility.js';
import { newRequestId } from './new-request-id.js';

/** Letters, digits and some signs: the name is a part of addresses and references. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/;

/** A deployment that runs, as Temporal shows it. */
export interface RunningDeployment {
  readonly name: string;
  readonly startedAt: Date;
  readonly component: string | undefined;
  /** The phase of its root. */
  readonly phase: string | undefined;
  readonly tenant: string | undefined;
}

/** Holds what the client of deployments needs. */
export interface DeploymentsOptions {
  readonly client: Client;
  readonly taskQueue: string;
  /** The components of one's own, so that mistakes are found here. Without them, the worker finds them. */
  readonly components?: readonly (AnyComponent | Kind)[];
}

/** Tells who asks, and the id under which they ask. */
export interface DeploymentRequest {
  /** The same id again does nothing more. A random one by default. S2.5 */
  readonly requestId?: string;
}

export interface DeployOptions extends DeploymentRequest {
  /** Tells who deploys it. */
  readonly actor?: Actor;
  /** The tenant to which it belongs. Where the actor has a tenant, it is that one. S6.5 */
  readonly tenant?: string;
}

/** Trees of components that run on their own. W1 */
export class Deployments {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #kinds: Kinds;
  readonly #components: ReadonlyMap<string, AnyComponent>;

  constructor({ client, taskQueue, components = [] }: DeploymentsOptions) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#kinds = kindsOf(components);
    const own = components.filter((each) => 'kind' in each);
    this.#components = new Map(own.map((each) => [each.kind.name, each]));
  }

  /** The components of one's own, by their names. */
  get components(): ReadonlyMap<string, AnyComponent> {
    return this.#components;
  }

  /**
   * Deploys what is described, under a name that nothing else that runs has.
   * @returns whether the request has come before: then nothing is deployed again
   * @throws DeclarationError with all that is wrong with the description; Rejected `exists`, `invalid_name`, `request_conflict`
   */
  async deploy(
    description: Description,
    name: string,
    { requestId, actor, tenant }: DeployOptions = {},
  ): Promise<{ readonly repeated: boolean }> {
    if (!NAME.test(name)) {
      const message = `'${name}' cannot name a deployment. Take letters, digits and . _ ~ - , the first one a letter or digit.`;
      throw refusal('invalid_name', message, name);
    }
    checkComponents(this.#kinds, description);
    const owner = actor && actor.tenant !== ALL_TENANTS ? actor.tenant : tenant;
    const origin: DeploymentOrigin = {
      component: description.kind,
      ...(owner !== undefined && { tenant: owner }),
      ...(actor && { subject: actor.subject }),
      request: requestId ?? newRequestId(),
      fingerprint: contentFingerprint({ event: 'deploy', params: { ...description } }),
    };
    // A new id cannot have come before.
    if (requestId !== undefined && (await this.#isRepeated(name, origin))) return { repeated: true };
    try {
      await this.#client.workflow.start(DEPLOYMENT_TYPE, {
        ...{ workflowId: deploymentWorkflowId(name), taskQueue: this.#taskQueue },
        args: [{ kind: 'deploy', name, description }],
        memo: memoOf(origin),
        searchAttributes: attributesAtDeployment(origin),
        staticSummary: `${description.kind} ${name}`,
      });
      return { repeated: false };
    } catch (thrown) {
      if (!(thrown instanceof WorkflowExecutionAlreadyStartedError)) throw thrown;
      if (await this.#isRepeated(name, origin)) return { repeated: true };
      throw refusal('exists', `A deployment '${name}' runs already. Choose another name.`, name);
    }
  }

  /**
   * The deployments that run, a moment late, in no order. `where` are further conditions of a query of Temporal.
   * @throws Rejected `no_answer` when Temporal does not answer
   */
  async list(
    page: PageRequest = { rows: 100 },
    where: readonly string[] = [],
  ): Promise<{ readonly rows: readonly RunningDeployment[]; readonly next?: string }> {
    const conditions = [`WorkflowType = ${quoted(DEPLOYMENT_TYPE)}`, 'ExecutionStatus = "Running"', ...where];
    const { found, next } = await listVisible(this.#client, conditions.map((each) => `(${each})`).join(' AND '), page);
    const rows = found.map(({ id, startedAt, attribute }): RunningDeployment => {
      const text = (name: keyof typeof SEARCH_ATTRIBUTES) => attribute(SEARCH_ATTRIBUTES[name])?.toString();
      const shown = { component: text('component'), phase: text('state'), tenant: text('tenant') };
      return { name: id.slice(deploymentWorkflowId('').length), startedAt, ...shown };
    });
    return { rows, ...(next !== undefined && { next }) };
  }

  /** Whose it is, and whether it runs. No worker is asked. @throws Rejected `absent`, or `no_answer` when Temporal does not answer */
  find(name: string): Promise<FoundDeployment> {
    return this.#asked(name, async (handle) => foundDeployment(name, await handle.describe()));
  }

  /** The tree as it is, or as it ended. @throws Rejected `absent`, or `no_answer` */
  tree(name: string): Promise<Tree> {
    return this.#asked(name, (handle) => ask<Tree>(handle, TREE_QUERY));
  }

  /** Each component: its phase, since when, and what it is doing. @throws Rejected `absent`, or `no_answer` */
  async explain(name: string): Promise<Explanation> {
    return this.explanationOf(await this.tree(name), Date.now());
  }

  /** The same of a tree that was read, as it is at a time in milliseconds since 1970. */
  explanationOf(tree: Tree, now: number): Explanation {
    return explainTree(this.#kinds, tree, now);
  }

  /** Waits for the end. @throws Rejected `absent`, `invalid_description`, or `terminated` when its workflow was ended by hand */
  async result(name: string): Promise<End> {
    try {
      return await this.#handle(name).result();
    } catch (thrown) {
      if (thrown instanceof WorkflowNotFoundError) throw absent(name);
      if (!(thrown instanceof WorkflowFailedError)) throw thrown;
      const { cause } = thrown as { readonly cause?: { readonly type?: string; readonly message?: string } };
      throw refusal(cause?.type ?? 'terminated', cause?.message ?? 'Its workflow was ended by hand.', name);
    }
  }

  /**
   * Ends a component; without a path, all of it. W-1
   * @returns the record of its end where it has ended already; nothing where it is told to end
   * @throws Rejected `absent`, `gone`, or `no_answer`
   */
  async terminate(
    name: string,
    { path = '', type = 'normal', description = 'ended by an operator', ...request }: TerminateOptions = {},
  ): Promise<End | undefined> {
    const { status } = await this.find(name);
    if (path === '' && status !== 'running') return this.result(name);
    const standing = statusOf(this.#kinds, await this.tree(name), path);
    if (standing.status === 'gone') throw gone(name, path);
    if (standing.status === 'ended') return standing.end;
    await this.#tell(name, { kind: 'terminate', path, end: { type, description } }, request);
    return undefined;
  }

  /** Sends an event to a component. @throws Rejected `absent`, `gone` when it has ended, or `no_answer` */
  async send(name: string, path: string, event: Json, request: DeploymentRequest = {}): Promise<void> {
    await this.#running(name, path);
    await this.#tell(name, { kind: 'event', path, event: event as never }, request);
  }

  /**
   * Sets an attribute of a component, or removes it: references see that from then on.
   * @throws Rejected `absent`, `gone` when it has ended, or `no_answer`
   */
  async set(
    name: string,
    path: string,
    attribute: string,
    value?: Json,
    request: DeploymentRequest = {},
  ): Promise<void> {
    await this.#running(name, path);
    const given = value === undefined ? {} : { value: value as never };
    await this.#tell(name, { kind: 'set', path, name: attribute, ...given }, request);
  }

  /** Asks all components whether they are well: one that is not ends abnormally. @throws Rejected `absent`, or `gone` */
  ping(name: string, request: DeploymentRequest = {}): Promise<void> {
    return this.#tell(name, { kind: 'ping' }, request);
  }

  /** @throws Rejected `request_conflict` when the same request has asked for something else */
  async #isRepeated(name: string, { request, fingerprint }: DeploymentOrigin): Promise<boolean> {
    const known = await this.find(name).catch((thrown: unknown) => {
      if (thrown instanceof Rejected && thrown.code === 'absent') return undefined;
      throw thrown;
    });
    if (known?.origin.request !== request) return false;
    if (known?.origin.fingerprint === fingerprint) return true;
    throw refusal('request_conflict', `The request '${request}' has deployed something else as '${name}'.`, name);
  }

  /** @throws Rejected `gone` */
  async #running(name: string, path: string): Promise<void> {
    if (statusOf(this.#kinds, await this.tree(name), path).status !== 'running') throw gone(name, path);
  }

  async #tell(name: string, message: DeploymentMessage, { requestId }: DeploymentRequest): Promise<void> {
    const told = { ...message, ...(requestId !== undefined && { request: requestId }) };
    try {
      await this.#asked(name, (handle) => handle.signal(deploymentMessageName(message), told));
    } catch (thrown) {
      if (!(thrown instanceof Rejected) || thrown.code !== 'absent') throw thrown;
      await this.find(name);
      throw gone(name, '');
    }
  }

  async #asked<T>(name: string, question: (handle: WorkflowHandle) => Promise<T>): Promise<T> {
    try {
      return await answerInTime(this.#client, deploymentWorkflowId(name), () => question(this.#handle(name)));
    } catch (thrown) {
      throw thrown instanceof WorkflowNotFoundError ? absent(name) : thrown;
    }
  }

  #handle(name: string): WorkflowHandle {
    return this.#client.workflow.getHandle(deploymentWorkflowId(name));
  }
}

export interface TerminateOptions extends DeploymentRequest {
  readonly path?: string;
  readonly type?: string;
  readonly description?: string;
}

function absent(name: string): Rejected {
  return refusal('absent', `There is no deployment '${name}'.`, name);
}

function gone(name: string, path: string): Rejected {
  if (path === '') return refusal('gone', `The deployment '${name}' has ended.`, name);
  const message = `The component '${path}' of '${name}' has ended, or is not there. 'reeve deployments get ${name}' shows which there are.`;
  return refusal('gone', message, name);
}

function refusal(code: string, message: string, name: string): Rejected {
  return new Rejected({ code, message, entity: deploymentWorkflowId(name), event: '' });
}
