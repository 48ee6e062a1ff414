import type { StoreReader } from '../reader.js';
import type { StoreViews } from '../views/index.js';

/** A deployment with its components: of those that came after each other at one path, the last one. W1 */
export interface DeploymentDetails {
  readonly deployment: StoreViews['deployments'];
  /** In the order in which they came. */
  readonly components: readonly StoreViews['components'][];
}

/** The most components that are read at once. Page through the view for more. */
const COMPONENTS = 5_000;

/** The latest deployment of a name, as it last told the store; `undefined` when there is none. */
export async function readDeployment(reader: StoreReader, name: string): Promise<DeploymentDetails | undefined> {
  const deployment = await reader
    .selectFrom('deployments')
    .selectAll()
    .where('name', '=', name)
    .orderBy('start_time', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!deployment) return undefined;
  const components = await reader
    .selectFrom('components')
    .selectAll()
    .distinctOn('path')
    .where('life', '=', deployment.life)
    .orderBy('path')
    .orderBy('incarnation', 'desc')
    .limit(COMPONENTS)
    .execute();
  return { deployment, components: components.sort((one, other) => one.incarnation - other.incarnation) };
}
