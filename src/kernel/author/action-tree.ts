/*
 * A tree of components within an action. W1
 *
 * action-tree.1. The action waits for its end. A tree that never ends by itself is refused, and so is a large one.
 * action-tree.2. When the action is aborted, the tree is ended first: its components clean up, and nothing else is called.
 * action-tree.3. Its calls have keys that begin with the place in the action, so each attempt of the action makes the same ones.
 */
import { idFingerprint } from '../ledger/fingerprint.js';
import { valueFingerprint } from '../../protocol/fingerprint.js';
import { Aborted, CallFailed, Defect } from '../../definition/action-errors.js';
import type { Description } from '../../definition/component-description.js';
import { DeclarationError } from '../../definition/declaration-error.js';
import type { EndRecord } from '../../definition/end-record.js';
import {
  checkComponents,
  endlessness,
  plant,
  TreeShell,
  type Result,
  type TreeCall,
  addressed,
  type TreeDriver,
  type TreeMessage,
  type TreeProgram,
} from '../../components/index.js';
import type { DeploymentMessage } from '../../protocol/deployment.js';
import { WORKER_GONE } from '../../protocol/names.js';
import type { PlacedCall } from '../run/placed-call.js';

/** A description with more components is for a state that deploys it, which has a history of its own. */
const LARGE = 200;
/** The places of a tree's calls among those of the action, beginning with the tree's own place times this. */
const PLACES = 10_000;

export interface TreeToRun {
  /** The beginning of the keys of its calls. */
  readonly name: string;
  /** Its place in the action. */
  readonly place: number;
  readonly description: Description;
}

/** All that a tree needs of the entity whose action runs it. */
export interface ActionTreeHost {
  now(): number;
  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean>;
  quiet(): Promise<void>;
  moment(): number;
  aborted(): boolean;
  /** Makes a call, also when the action has been aborted. */
  call(placed: PlacedCall): Promise<unknown>;
  cancel(idempotencyKeys: readonly string[]): void;
  /** Tells another deployment something. One that is not there need not hear it. */
  tell(id: string, message: DeploymentMessage): Promise<'delivered' | 'absent'>;
}

/**
 * Runs a tree to its end.
 * @throws DeclarationError for a description that is not right, Defect for one that is not for actions, Aborted when the action was
 *   aborted meanwhile
 */
export async function runTree(
  program: TreeProgram,
  { name, place, description }: TreeToRun,
  host: ActionTreeHost,
): Promise<EndRecord> {
  checkComponents(program.kinds, description);
  refuseUnsuited(program, description);
  const tree = plant(program.kinds, { run: name, at: host.now(), description });
  const shell = new TreeShell(program, new ActionTreeDriver(program, host, place), tree);
  shell.tell({ kind: 'deploy' });
  let over = false;
  const ending = endWhenAborted();
  try {
    const end = await shell.run();
    if (end === 'rollover') throw new Error('A component tree within an action does not continue as new.');
    if (host.aborted()) throw new Aborted('The action was aborted while it ran components.');
    return end;
  } finally {
    over = true;
    await ending;
  }

  /** action-tree.2 */
  async function endWhenAborted(): Promise<void> {
    await host.until(() => over || host.aborted());
    if (over) return;
    shell.tell({ kind: 'terminate', path: '', end: { type: 'abnormal', description: 'the action was aborted' } });
  }
}

/** action-tree.1 */
function refuseUnsuited({ kinds }: TreeProgram, description: Description): void {
  const endless = endlessness(kinds, description);
  if (endless) {
    const problem = 'never ends by itself, so the action would never end';
    const remedy = `Give it an end, or let a state deploy it. It is so, since ${endless.why}.`;
    throw new DeclarationError(description.kind, [{ place: endless.place, problem, remedy }]);
  }
  const size = sizeOf(description);
  if (size > LARGE) {
    const problem = `The description has ${size} components, and an action runs ${LARGE} at most`;
    throw new Defect('too_many_components', `${problem}. Let a state deploy it.`);
  }
}

function sizeOf({ attributes, children }: Description): number {
  const held = Object.values(attributes).filter(
    (value): value is Description =>
      typeof value === 'object' && value !== null && 'kind' in value && 'children' in value,
  );
  return [...held, ...children.map(([, child]) => child)].reduce((size, each) => size + sizeOf(each), 1);
}

class ActionTreeDriver implements TreeDriver {
  readonly #program: TreeProgram;
  readonly #host: ActionTreeHost;
  readonly #cancelled = new Set<string>();
  #place: number;

  constructor(program: TreeProgram, host: ActionTreeHost, place: number) {
    this.#program = program;
    this.#host = host;
    this.#place = place * PLACES;
  }

  now(): number {
    return this.#host.now();
  }

  until(predicate: () => boolean, timeoutMs?: number, summary?: string): Promise<boolean> {
    return this.#host.until(predicate, timeoutMs, summary);
  }

  quiet(): Promise<void> {
    return this.#host.quiet();
  }

  moment(): number {
    return this.#host.moment();
  }

  async call({ activity, input, key, host, reachWithin }: TreeCall): Promise<Result | undefined> {
    const call = this.#program.calls.get(activity);
    if (!call) return failure('unknown_call', `No resource with the call '${activity}' is known to the components.`);
    const place = ++this.#place;
    const on = host === undefined ? {} : { on: { worker: host, takenWithinMs: reachWithin ?? REACH_WITHIN_MS } };
    try {
      const named = { name: idFingerprint(key), print: valueFingerprint(input) };
      const output = await this.#host.call({ call, input, idempotencyKey: key, named, place, ...on });
      return output === undefined ? {} : { output: output as never };
    } catch (thrown) {
      if (this.#cancelled.has(key) || (this.#host.aborted() && !(thrown instanceof CallFailed))) return undefined;
      if (!(thrown instanceof CallFailed)) throw thrown;
      const code = host !== undefined && thrown.code === WORKER_GONE ? 'host_unreachable' : thrown.code;
      return failure(code, thrown.message);
    }
  }

  cancel(key: string): void {
    this.#cancelled.add(key);
    this.#host.cancel([key]);
  }

  tell(message: TreeMessage): Promise<'delivered' | 'absent'> {
    const { run, said } = addressed(message);
    return this.#host.tell(run, said);
  }

  async detach(): Promise<Result> {
    return failure(
      'not_supported',
      'Components within an action end with it, so none can be detached. Let a state deploy them.',
    );
  }

  record(): void {
    // The calls are rows of the action's transition.
  }

  show(): void {
    // The entity shows the calls of its action.
  }

  runLength(): 'short' {
    return 'short';
  }

  mayEndRun(): boolean {
    return true;
  }

  tellOwner(): Promise<'delivered'> {
    return Promise.resolve('delivered');
  }
}

/** How long a host may take to begin with a call, where the component does not say it. */
const REACH_WITHIN_MS = 60_000;

function failure(code: string, message: string): Result {
  return { error: { code, message } };
}
