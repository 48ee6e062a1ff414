/*
 * One run of a deployment: a tree that has a workflow of its own, by itself or for a state of an entity. The same on every driver.
 * W1
 *
 * deployment-life.1. A description is checked before anything starts.
 * deployment-life.2. The entity whose state has deployed it is told when it is up, and how it has ended. Where there is no such
 *     entity any more, the deployment ends itself.
 * deployment-life.3. The `run` that has started it is told when it is up, or that it has not come up. W4
 */
import { messageOf } from '../../definition/thrown.js';
import type { Description } from '../../definition/component-description.js';
import { deploymentWorkflowId } from '../../protocol/names.js';
import type { LivingRef } from '../../protocol/refs.js';
import type { DeploymentStart } from '../../protocol/state-deployment.js';
import { checkComponents } from '../check/check.js';
import { plant } from '../tree/plant.js';
import type { Failure, Result } from '../tree/result.js';
import type { End, Tree } from '../tree/tree.js';
import type { DeploymentDriver, Launcher } from './tree-driver.js';
import type { TreeProgram } from './tree-program.js';
import { TreeShell, type TreeInput } from './tree-shell.js';

/** Describes what a run of a deployment is started with. */
export type DeploymentInput =
  /** On its own. */
  | { readonly kind: 'deploy'; readonly name: string; readonly description: Description }
  /** For a state of an entity. */
  | ({ readonly kind: 'owned' } & DeploymentStart)
  /** A tree that another one has let go: it goes on, or begins if a `run` has started it. */
  | { readonly kind: 'detached'; readonly tree: Tree; readonly launcher?: Launcher }
  /** The tree with which the run before it ended. */
  | { readonly kind: 'continue'; readonly tree: Tree; readonly owner?: LivingRef; readonly launcher?: Launcher };

/** Describes how a run ends. */
export type DeploymentRunEnd =
  | { readonly kind: 'ended'; readonly end: End }
  | { readonly kind: 'rollover'; readonly next: Extract<DeploymentInput, { kind: 'continue' }> };

/** Runs a tree to its end, or until it should go on in a new run. */
export async function runDeployment(
  program: TreeProgram,
  driver: DeploymentDriver,
  tree: Tree,
  input: DeploymentInput,
): Promise<DeploymentRunEnd> {
  const owner = 'owner' in input ? input.owner : undefined;
  const launcher = 'launcher' in input ? input.launcher : undefined;
  const shell = new TreeShell(program, driver, tree, { owner, launcher });
  driver.serve({
    tree: () => shell.tree,
    message: ({ request: _, tenant: _tenant, ...message }) => {
      if (message.kind === 'owner') shell.hearOwner();
      // It has heard what it needed to: that it is still there.
      else if (message.kind === 'launcher') return;
      else if (message.kind === 'launched') shell.tell({ kind: 'answer', key: message.key, result: resultOf(message) });
      else shell.tell(message as TreeInput);
    },
  });
  const begins = input.kind === 'detached' ? launcher !== undefined : input.kind !== 'continue';
  if (begins) shell.tell({ kind: 'deploy' });
  else shell.resume();
  const end = await shell.run();
  if (end !== 'rollover') return { kind: 'ended', end };
  const told = { ...(owner && { owner }), ...(shell.launcher && { launcher: shell.launcher }) };
  return { kind: 'rollover', next: { kind: 'continue', tree: shell.tree, ...told } };
}

function resultOf({ error }: { readonly error?: Failure | undefined }): Result {
  return error ? { error } : {};
}

/** The tree with which a run begins, or why its description is not right. deployment-life.1 */
export function treeToRun(
  { kinds }: TreeProgram,
  input: DeploymentInput,
  at: number,
): { readonly kind: 'planted'; readonly tree: Tree } | { readonly kind: 'refused'; readonly message: string } {
  if (input.kind === 'detached' || input.kind === 'continue') return { kind: 'planted', tree: input.tree };
  const { description } = input;
  const run = input.kind === 'owned' ? input.id : deploymentWorkflowId(input.name);
  try {
    checkComponents(kinds, description);
    return { kind: 'planted', tree: plant(kinds, { run, at, description }) };
  } catch (thrown) {
    // A schema of an attribute is code of its author, and can throw anything.
    return { kind: 'refused', message: messageOf(thrown) };
  }
}
