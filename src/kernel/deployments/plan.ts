import type { AnyImplementation } from '../../definition/actions.js';
import type { Description } from '../../definition/component-description.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import type { Contents } from '../rules/contents.js';

/**
 * What the state deploys that an action is about to enter with these contents; nothing where it deploys nothing, or is entered
 * again. W1
 * @throws whatever the author's description throws
 */
export function planDeployment(
  { entity, deploys = {} }: AnyImplementation,
  snapshot: Snapshot,
  { to = snapshot.state, properties, links, subordinates }: Contents & { readonly to?: string },
): Description | undefined {
  const name = entity.states[to]?.deploys;
  if (name === undefined || to === snapshot.state) return undefined;
  const { type, key, operation } = snapshot;
  const deployer = { type, key, state: to, properties, links, subordinates, operation: operation?.id ?? '' };
  return deploys[name]!(deployer as never);
}
