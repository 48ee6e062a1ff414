import { Defect } from '../../definition/action-errors.js';
import type { AnyImplementation } from '../../definition/actions.js';
import type { Description } from '../../definition/component-description.js';
import type { Snapshot } from '../../protocol/snapshot.js';
import { plain } from '../../protocol/carried.js';
import { describeIssues } from '../../protocol/schema-problems.js';
import type { Contents } from '../rules/contents.js';
import { seenContents } from '../rules/seen-contents.js';

/**
 * Plans what the state deploys that an action is about to enter with these contents; nothing where it deploys nothing, or is entered
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
  const seen = seenContents(entity, { properties, links, subordinates });
  const deployer = { type, key, state: to, ...seen, operation: operation?.id ?? '' };
  const description = plain(deploys[name]!(deployer as never));
  if (description.valid) return description.value as Description;
  const told = describeIssues(description.issues);
  throw new Defect('unstorable_value', `What ${to} of ${entity.name} deploys cannot be sent: ${told}`);
}
