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
  type AnyComponent,
  type Description,
  type End,
  type Explanation,
  type Json,
  type Kind,
  type Kinds,
  type Tree,
} from '../components/index.js';
import type { DeploymentMessage } from '../protocol/deployment.js';
import { deploymentMessageName } from '../protocol/message-names.js';
import { Rejected } from '../protocol/errors.js';
import { DEPLOYMENT_TYPE, deploymentWorkflowId, TREE_QUERY } from '../protocol/names.js';
import { ask } from './ask.js';
import { answerInTime } from './answer-in-time.js';
import { listVisible, quoted, type PageRequest } from './live/visibility.js';

/** Letters, digits and some signs: the name is a part of addresses and references. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._~-]{0,199}$/;

/** A deployment that runs, as Temporal shows it. */
export interface RunningDeployment {
  readonly name: string;
  readonly startedAt: Date;
}

export interface DeploymentsOptions {
  readonly client: Client;
  readonly taskQueue: string;
  /** The components of one's own, so that mistakes are found here. Without them, the worker finds them. */
  readonly components?: readonly (AnyComponent | Kind)[];
}

/** Trees of components that run on their own. W1 */
export class Deployments {
  readonly #client: Client;
  readonly #taskQueue: string;
  readonly #kinds: Kinds;

  constructor({ client, taskQueue, components = [] }: DeploymentsOptions) {
    this.#client = client;
    this.#taskQueue = taskQueue;
    this.#kinds = kindsOf(components);
  }

  /**
   * Deploys what is described, under a name that nothing else that runs has.
   * @throws DeclarationError with all that is wrong with the description; Rejected `exists`, `invalid_name`
   */
  async deploy(description: Description, name: string): Promise<void> {
    if (!NAME.test(name)) {
      const message = `'${name}' cannot name a deployment. Take letters, digits and . _ ~ - , the first one a letter or digit.`;
      throw refusal('invalid_name', message, name);
    }
    checkComponents(this.#kinds, description);
    try {
      await this.#client.workflow.start(DEPLOYMENT_TYPE, {
        ...{ workflowId: deploymentWorkflowId(name), taskQueue: this.#taskQueue },
        args: [{ kind: 'deploy', name, description }],
        staticSummary: `${description.kind} ${name}`,
      });
    } catch (thrown) {
      if (!(thrown instanceof WorkflowExecutionAlreadyStartedError)) throw thrown;
      throw refusal('exists', `A deployment '${name}' runs already.`, name);
    }
  }

  /** The deployments that run, a moment late, in no order. @throws Rejected `no_worker` when Temporal does not answer */
  async list(
    page: PageRequest = { rows: 100 },
  ): Promise<{ readonly rows: readonly RunningDeployment[]; readonly next?: string }> {
    const query = `WorkflowType = ${quoted(DEPLOYMENT_TYPE)} AND ExecutionStatus = "Running"`;
    const { found, next } = await listVisible(this.#client, query, page);
    const rows = found.map(({ id, startedAt }) => ({ name: id.slice(deploymentWorkflowId('').length), startedAt }));
    return { rows, ...(next !== undefined && { next }) };
  }

  /** The tree as it is, or as it ended. @throws Rejected `absent`, or `no_worker` */
  tree(name: string): Promise<Tree> {
    return this.#asked(name, (handle) => ask<Tree>(handle, TREE_QUERY));
  }

  /** Each component: its phase, since when, and what it is doing. @throws Rejected `absent`, or `no_worker` */
  async explain(name: string): Promise<Explanation> {
    return explainTree(this.#kinds, await this.tree(name), Date.now());
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

  /** Ends a component; without a path, all of it. @throws Rejected `absent` */
  terminate(name: string, { path = '', type = 'normal', description = 'ended by an operator' } = {}): Promise<void> {
    return this.#tell(name, { kind: 'terminate', path, end: { type, description } });
  }

  /** Sends an event to a component. @throws Rejected `absent` */
  send(name: string, path: string, event: Json): Promise<void> {
    return this.#tell(name, { kind: 'event', path, event: event as never });
  }

  /** Sets an attribute of a component, or removes it: references see that from then on. @throws Rejected `absent` */
  set(name: string, path: string, attribute: string, value?: Json): Promise<void> {
    const given = value === undefined ? {} : { value: value as never };
    return this.#tell(name, { kind: 'set', path, name: attribute, ...given });
  }

  /** Asks all components whether they are well: one that is not ends abnormally. @throws Rejected `absent` */
  ping(name: string): Promise<void> {
    return this.#tell(name, { kind: 'ping' });
  }

  #tell(name: string, message: DeploymentMessage): Promise<void> {
    return this.#asked(name, (handle) => handle.signal(deploymentMessageName(message), message));
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

function absent(name: string): Rejected {
  return refusal('absent', `No deployment '${name}' runs.`, name);
}

function refusal(code: string, message: string, name: string): Rejected {
  return new Rejected({ code, message, entity: deploymentWorkflowId(name), event: 'deploy' });
}
